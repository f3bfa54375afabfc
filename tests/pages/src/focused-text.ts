import type { Page } from 'playwright-core';

/** The text of what has the focus, also inside of custom elements. */
export function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement != null) active = active.shadowRoot.activeElement;
    return active?.textContent.trim() ?? '';
  });
}
