/** What every browser must do, in WebKitGTK. */
import { everywhere } from './everywhere';
import { WebKit } from './webkit';

everywhere('WebKit', () => WebKit.launch());
