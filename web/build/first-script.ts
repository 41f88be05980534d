/** What runs before anything of a page is drawn. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The look that was chosen (src/ui/hooks/use-look.ts); and from a public page in English to the same in the language chosen before. */
const script = `var d=document.documentElement,l=sessionStorage.getItem('theLanguage'),a=location
d.dataset.look=localStorage.getItem('look')||'system'
if('languages' in d.dataset&&(l==='zh'||l==='ru')){d.style.visibility='hidden'
a.replace('/'+l+(a.pathname==='/'?'':a.pathname)+a.search+a.hash)}
`

/** Into the built index.html, from which every page is made. Answers with it. */
export async function addFirstScript(folder: string): Promise<string> {
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8)
  const name = `assets/first-${hash}.js`
  await writeFile(join(folder, name), script)
  const file = join(folder, 'index.html')
  const before = await readFile(file, 'utf8')
  const html = before.replace('</title>', `</title>\n    <script src="/${name}"></script>`)
  await writeFile(file, html)
  return html
}
