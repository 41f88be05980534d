/** Flow of a pipe, and of a real aorta near its truth. */
import '../flow-run.test.ts'
