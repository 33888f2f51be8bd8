// SPDX-License-Identifier: Apache-2.0
import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import App from "./App.svelte";
import { theme } from "./lib/theme.svelte";

const target = document.getElementById("app");
if (target === null) throw new Error("no #app");
theme.start();
mount(App, { target });
