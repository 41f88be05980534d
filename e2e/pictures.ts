/**
 * `npm run pictures`: the public site's pictures of the product, web/public/pictures/<language>/<name>.webp.
 * `npm run pictures -- dripe`: those of DRIPE alone; `-- tools`: those of labelling and the toolbox.
 * `npm run pictures -- check`: every page in three languages, on a desk and on a phone, into .cache/pictures to be
 * looked at; `-- check dark` in the dark look.
 */
import { launch } from './browser.ts'
import { takeCheckPictures } from './pictures/check.ts'
import { takeDripePictures } from './pictures/dripe.ts'
import { takePoster } from './pictures/poster.ts'
import { takeSitePictures } from './pictures/site.ts'
import { takeToolPictures } from './pictures/tools.ts'
import { removeData, startProduct } from './stack.ts'

const product = await startProduct()
const browser = await launch({ hasGraphics: true })
try {
  if (process.argv.includes('check'))
    await takeCheckPictures(browser, product, process.argv.includes('dark') ? 'dark' : 'light')
  else if (process.argv.includes('dripe')) await takeDripePictures(browser, product)
  else if (process.argv.includes('tools')) await takeToolPictures(browser, product)
  else {
    await takePoster(browser, product)
    await takeSitePictures(browser, product)
    await takeDripePictures(browser, product)
    await takeToolPictures(browser, product)
  }
} finally {
  await browser.close()
  await product.stop()
  await removeData(product.dataDir)
}
