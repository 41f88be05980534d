/** `npm run agreement`: prints the user agreement of each language to web/public/agreement, from its locale file. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureChromium, ensurePackages, main, root } from './setup.mjs'

const folder = join(root, 'web', 'public', 'agreement')

/** Each language with its name in the file's name and its words for a page's number. */
const languages = [
  { language: 'en', tag: 'en', name: 'English', page: (page, pages) => `Page ${page} of ${pages}` },
  { language: 'zh', tag: 'zh-CN', name: 'Chinese', page: (page, pages) => `第 ${page} 页，共 ${pages} 页` },
  { language: 'ru', tag: 'ru', name: 'Russian', page: (page, pages) => `Страница ${page} из ${pages}` },
]

/** One family that has Latin, Chinese and Cyrillic letters; Chromium embeds what is used of it. */
const font = "'Noto Sans CJK SC', 'Noto Sans SC', 'Noto Sans', sans-serif"

await main(async () => {
  ensurePackages()
  const executablePath = ensureChromium()
  const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('playwright-core')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  mkdirSync(folder, { recursive: true })
  const madeFrom = {}
  try {
    for (const one of languages) {
      const text = readFileSync(join(root, 'web', 'src', 'locales', one.language, 'agreement.json'))
      const file = `Neuroloom-Agreement-${one.name}.pdf`
      writeFileSync(join(folder, file), await print(browser, one, JSON.parse(text)))
      madeFrom[file] = createHash('sha256').update(text).digest('hex')
    }
  } finally {
    await browser.close()
  }
  // A test compares it with the texts of today.
  writeFileSync(join(folder, 'made-from.json'), `${JSON.stringify(madeFrom, null, 2)}\n`)
})

async function print(browser, { tag, page: pageText }, texts) {
  const page = await browser.newPage()
  await page.setContent(htmlOf(tag, texts), { waitUntil: 'load' })
  const pdf = await page.pdf({
    format: 'A4',
    margin: { top: '24mm', right: '24mm', bottom: '24mm', left: '24mm' },
    displayHeaderFooter: true,
    headerTemplate: '<span></span>',
    footerTemplate: `<div style="width:100%;padding:0 24mm;font:9px ${font};color:#5d717d;text-align:center">${pageText(
      '<span class="pageNumber"></span>',
      '<span class="totalPages"></span>',
    )}</div>`,
    printBackground: true,
    tagged: true,
    outline: true,
  })
  await page.close()
  return pdf
}

function htmlOf(tag, { title, ...parts }) {
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<title>Neuroloom · ${escaped(title)}</title>
<style>
body { margin: 0; color: #10262f; font: 11pt/1.7 ${font}; hyphens: auto; }
header { margin-bottom: 12mm; padding-bottom: 5mm; border-bottom: 1.5pt solid #0a6478; }
header p { margin: 0 0 2mm; color: #0a6478; font-weight: 700; letter-spacing: 0.04em; }
h1 { margin: 0; font-size: 24pt; line-height: 1.25; }
section { margin-bottom: 8mm; break-inside: avoid; }
h2 { margin: 0 0 2mm; font-size: 13.5pt; line-height: 1.4; break-after: avoid; }
p { margin: 0; text-align: ${tag === 'zh-CN' ? 'justify' : 'left'}; orphans: 3; widows: 3; }
</style>
</head>
<body>
<header><p>Neuroloom</p><h1>${escaped(title)}</h1></header>
${Object.values(parts)
  .map(
    (part, index) =>
      `<section><h2>${index + 1}. ${escaped(part.title)}</h2><p>${escaped(part.text)}</p></section>`,
  )
  .join('\n')}
</body>
</html>`
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
