// SPDX-License-Identifier: Apache-2.0
// svelte-check looks for this file; Svelte 5 takes TypeScript without more.
export default {};
