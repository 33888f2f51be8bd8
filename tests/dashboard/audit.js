// SPDX-License-Identifier: Apache-2.0
// What a page must be to those who cannot see it, or see it badly: read into the page by its tests.
(() => {
  const ASKED =
    "button, input, select, dialog, [role=grid], [role=listbox], [role=img], [role=meter], [role=region], [tabindex='0']";
  const texts = (ids) => (ids || "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "");

  // As browsers compute it for the elements that we use.
  const nameOf = (one) =>
    one.getAttribute("aria-label") ||
    texts(one.getAttribute("aria-labelledby")).join("") ||
    [...(one.labels || [])].map((label) => label.textContent.trim()).join("") ||
    one.textContent.trim() ||
    one.getAttribute("title");

  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((value) => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (one) => {
    for (let each = one; each; each = each.parentElement) {
      const found = rgba(getComputedStyle(each).backgroundColor);
      if (found[3] > 250) return found;
    }
    return [255, 255, 255, 255];
  };
  // The contrast of text to its ground as WCAG 2 has it.
  const contrast = (one) => {
    const [a, b] = [light(rgba(getComputedStyle(one).color)), light(groundOf(one))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());

  window.audit = {
    shifts: [],
    nameless: () =>
      [...document.querySelectorAll(ASKED)]
        .filter((one) => one.checkVisibility() && !nameOf(one))
        .map((one) => one.outerHTML.slice(0, 120)),
    twice: () => {
      const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
      return ids.filter((id, at) => ids.indexOf(id) !== at);
    },
    faint: () =>
      [...document.querySelectorAll("body *")]
        .filter((one) => one.checkVisibility() && hasText(one) && !one.closest("[disabled], .visually-hidden"))
        .map((one) => [contrast(one), one])
        .filter(([ratio]) => ratio < 4.5)
        .map(([ratio, one]) => `${ratio.toFixed(2)} ${one.className} ${one.textContent.trim().slice(0, 40)}`),
    // What has the focus, and whether that can be seen; empty where it is the page as a whole.
    focus: () => {
      const one = document.activeElement;
      if (one === document.body) return ["", false];
      const style = getComputedStyle(one.matches("input[type=radio]") ? one.parentElement : one);
      const seen = style.outlineStyle !== "none" && style.outlineWidth !== "0px";
      return [one.id || one.getAttribute("aria-label") || one.textContent.trim(), seen];
    },
    watchShifts: () =>
      new PerformanceObserver((list) => {
        for (const one of list.getEntries()) {
          // A list whose newest row is on top moves down; it stands still while somebody is in it.
          const inOrders = one.sources.every(({ node }) => (node?.parentElement ?? document.body).closest("#orders tbody"));
          if (one.hadRecentInput || inOrders) continue;
          window.audit.shifts.push([one.value, ...one.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 90))]);
        }
      }).observe({ type: "layout-shift" }),
  };
})();
