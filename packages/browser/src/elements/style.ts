import { contentStyle } from './content-style.js';
import { controlStyle } from './control-style.js';
import { frameStyle } from './frame-style.js';
import { narrowStyle } from './narrow-style.js';
import { palette } from './palette.js';
import { printStyle } from './print-style.js';

/** The style of both elements. It is adopted by their shadow roots, so a strict policy allows it. */
export const style = [palette, frameStyle, controlStyle, contentStyle, narrowStyle, printStyle];
