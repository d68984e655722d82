/** `npm run build`: always builds, also when nothing seems to have changed. */
import { build, install } from './setup.mjs';

install();
build();
