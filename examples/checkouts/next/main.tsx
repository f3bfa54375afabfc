// What Next does with page.tsx in the browser: index.html has what its server rendered.

import { hydrateRoot } from 'react-dom/client';
import SubscribePage from './page.jsx';

const app = document.querySelector('#app');
if (app !== null) hydrateRoot(app, <SubscribePage />);
