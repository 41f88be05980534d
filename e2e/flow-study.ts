/** A known flow that is measured by a call, for what is to be seen of a study that is there already. */
import type { PhantomName } from '@neuroloom/contract/flow/named'
import type { Page } from 'playwright-core'
import { askIn } from './browser.ts'

/** Opens its page once it can be seen. */
export async function openKnownFlow(
  page: Page,
  url: string,
  phantom: PhantomName,
  frames: number,
): Promise<void> {
  if (new URL(page.url()).origin !== url) await page.goto(url)
  const { id } = await askIn(page, 'flow/phantom', { phantom, scan: { frames } })
  await page.goto(`${url}/flow?study=${id}`)
  await page.getByRole('application').first().waitFor({ timeout: 120_000 })
}
