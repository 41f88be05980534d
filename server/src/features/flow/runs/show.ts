import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { FlowFigure } from '@neuroloom/contract/flow/run-calls'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Holder } from '../../accounts/access.ts'
import { requireRun } from '../../runs/access.ts'
import { showRun } from '../../runs/service.ts'
import { factsOf, figuresOf } from './facts.ts'
import { runBytesUrl } from './values.ts'

export async function detail(
  ctx: Context,
  { id }: Parsed<'flow/run'>,
  caller: Caller,
): Promise<Answer<'flow/run'>> {
  await requireRun(ctx.db, caller.user, id, 'view')
  // One moment: a run that ends between two questions would have results without files.
  const [run, facts] = await ctx.db.transaction(
    async (tx) => [await showRun(tx, id), await factsOf(tx, id)] as const,
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  // One that is no flow run is not there by this name.
  if (!facts) throw fail('run_missing')
  const urlOf = (sha256: string): string => runBytesUrl(ctx, caller, { id, sha256 })
  const madeOf = (kind: string): string | null => {
    const artifact = run.artifacts.find((one) => one.kind === kind)
    return run.state === 'done' && artifact ? urlOf(artifact.sha256) : null
  }
  const { asked, results, study, correctedHead, sections, isMeasuring, massBalance } = facts
  return {
    ...{ run, asked, results, sections, isMeasuring, massBalance },
    study: { name: study.name, id: study.id, head: correctedHead ?? study.head },
    values: madeOf('flow_study'),
    mask: madeOf('flow_mask_values'),
    derived: madeOf('flow_derived'),
    before: run.state === 'done' ? urlOf(study.sha256) : null,
    figures: await shownFigures(ctx, caller, id),
  }
}

export async function shownFigures(ctx: Context, holder: Holder, runId: string): Promise<FlowFigure[]> {
  const figures = await figuresOf(ctx.db, runId)
  return figures.map(({ id, caption, sha256, width, height }) => ({
    ...{ id, caption, width, height },
    url: runBytesUrl(ctx, holder, { id: runId, sha256 }),
  }))
}
