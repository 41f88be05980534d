/** What comes before anything of a page is drawn: the look, the language, the typeface, and who presses what too early. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closingMs } from '@neuroloom/contract/limits'

/**
 * The look that was chosen (src/ui/hooks/use-look.ts); from a public page in English to the same in the language chosen
 * before, or else the browser's own (src/lib/language.ts); and the button pressed last while the page has no scripts yet, to be pressed again by src/app/main.tsx: nobody
 * has to press twice because the line is slow. And that a page is there again, before the time for it is over: a reload
 * whose scripts come slowly signs nobody out (src/lib/closing.ts). Its answer is read, or browsers keep the request open.
 * Before any schema, the schema library is told not to try whether it may compile code: the security policy forbids it,
 * and Firefox would report each try as an attack (src/lib/jitless.ts for workers).
 */
export const script = `__zod_globalConfig={jitless:true}
var d=document.documentElement,a=location,s=localStorage,n=Date.now(),l=[sessionStorage.theLanguage,s.theLanguage,
...navigator.languages.map(t=>t.slice(0,2).toLowerCase())].find(t=>/^(en|zh|ru)$/.test(t))
d.dataset.look=s.look||'system'
if('languages' in d.dataset&&/^(zh|ru)$/.test(l)){d.style.visibility='hidden'
a.replace('/'+l+(a.pathname==='/'?'':a.pathname)+a.search+a.hash)}
function early(e){early.button=e.target.closest('button')}
addEventListener('click',early,true)
if(s.token&&n-s.closingAt<=${closingMs}){s.closingAt=n
fetch('/AI/api/user/stay',{method:'POST',headers:{token:s.token,userId:JSON.parse(s.userInfo).id}}).then(r=>r.text(),d=>d)}
`

/** Into the built index.html, from which every page is made. Answers with it. */
export async function addFirstScript(folder: string): Promise<string> {
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8)
  const name = `assets/first-${hash}.js`
  await writeFile(join(folder, name), script)
  const file = join(folder, 'index.html')
  const before = await readFile(file, 'utf8')
  const html = before.replace(
    '</title>',
    `</title>\n    <script src="/${name}"></script>\n    ${await fontLink(folder, 'latin')}`,
  )
  await writeFile(file, html)
  return html
}

/** Asks for the letters of one script at once (src/ui/fonts.css): what is not there when text is drawn is not used. */
export async function fontLink(folder: string, letters: 'latin' | 'cyrillic'): Promise<string> {
  const files = await readdir(join(folder, 'assets'))
  const file = files.find((one) => one.startsWith(`onest-${letters}-`))
  if (file === undefined) throw new Error(`the build has no ${letters} letters`)
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${file}">`
}
