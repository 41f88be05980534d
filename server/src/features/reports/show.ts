import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { Language } from '@neuroloom/contract/language'
import { canDownloadReport, hasPlainReport } from '@neuroloom/contract/limits'
import { namedClass } from '@neuroloom/contract/named'
import { shortName } from '@neuroloom/contract/names/short-name'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Report } from '@neuroloom/contract/reports'
import { isRestoration } from '@neuroloom/contract/task'
import type { Caller, SessionUser } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { textsOf } from '../../infra/texts.ts'
import { thumbnailUrl } from '../files/service.ts'
import * as networks from '../networks/service.ts'
import { standingOf } from '../plans/service.ts'
import { requireRun } from '../runs/access.ts'
import { pictureUrl } from '../runs/service.ts'
import { type Facts, factsOf, type PicturedItem } from './facts.ts'
import { flowFactsOf } from './flow/facts.ts'
import { flowReport } from './flow/show.ts'
import { scoreText } from './results.ts'
import { type ShownPicture, type Structure, sectionsOf } from './sections.ts'
import { type Words, wordsOf } from './words.ts'

export async function show(
  ctx: Context,
  { id, language }: Parsed<'reports/show'>,
  caller: Caller,
): Promise<Answer<'reports/show'>> {
  const rights = rightsOf(ctx, caller.user)
  const run = await requireRun(ctx.db, caller.user, id, 'view')
  if (run.kind === 'flow') {
    const urlOf = ({ sha256 }: { sha256: string }): string => pictureUrl(ctx, caller, { id, sha256 })
    return flowReport(await flowFactsOf(ctx, run), { language, rights, urlOf })
  }
  const facts = await factsOf(ctx, caller.user, run)
  const shownBy = facts.project.access === 'own' ? undefined : { as: 'run', id }
  const drawn = (sha256: string): string => pictureUrl(ctx, caller, { id, sha256 })
  const imageOf = ({ image }: PicturedItem): string | null =>
    image && thumbnailUrl(ctx, caller, image, shownBy)
  return reportOf(ctx, facts, {
    reader: caller.user,
    language,
    rights,
    addresses: {
      pictureOf: (item) => (item.overlay ? drawn(item.overlay) : imageOf(item)),
      heatOf: (item) => {
        const url = imageOf(item)
        return url && item.heat ? { url, heat: drawn(item.heat) } : null
      },
    },
  })
}

export type Rights = Pick<Report, 'mayDownload' | 'hasWatermark'>

export function rightsOf(ctx: Context, user: Pick<SessionUser, 'vipLevel' | 'vipSuper'>): Rights {
  const standing = standingOf(ctx, user)
  return { mayDownload: canDownloadReport(standing), hasWatermark: !hasPlainReport(standing) }
}

/** Where the pictures of an item are found; null leaves the item out. */
export type Addresses = {
  pictureOf(item: PicturedItem): string | null
  /** `heat` lies over the picture, unless that shows it already. */
  heatOf(item: PicturedItem): { url: string; heat: string | null } | null
}

type Reading = {
  reader: Pick<SessionUser, 'id'>
  language: Language
  rights: Rights
  addresses: Addresses
}

export async function reportOf(
  ctx: Context,
  facts: Facts,
  { reader, language, rights, addresses }: Reading,
): Promise<Report> {
  const words = wordsOf(language)
  const shownOf = (items: readonly PicturedItem[]): ShownPicture[] =>
    items.flatMap((item) => {
      const url = addresses.pictureOf(item)
      const name = shortName(item.result.name)
      return url === null ? [] : [{ url, heat: null, name, caption: captionOf(facts, words, item) }]
    })
  const heats = facts.worst.flatMap((item) => {
    const found = addresses.heatOf(item)
    return found
      ? [{ ...found, name: shortName(item.result.name), caption: namedText(facts, words, item) }]
      : []
  })
  const structure = await structureOf(ctx, facts, { reader, language })
  const { test, isCross, project } = facts
  return {
    runId: test.id,
    projectId: project.id,
    isCross,
    isFlow: false,
    title: words.t(isCross ? 'titleCross' : 'title', { project: project.name }),
    subtitle: words.t(isCross ? 'subtitleCross' : 'subtitle', {
      number: test.number,
      date: words.date(test.endedAt),
    }),
    sections: sectionsOf(facts, words, {
      structure,
      ...{ pictures: shownOf(facts.worst), best: shownOf(facts.best), heats },
    }),
    ...rights,
  }
}

function captionOf(facts: Facts, words: Words, { result }: PicturedItem): string {
  const { classes, task } = facts.test
  if (task !== 'classification')
    return words.t('pictures.score', { score: scoreText(facts, words, result.score) })
  const named = namedClass(result)
  return words.t('pictures.named', {
    truth: classes[result.truth ?? -1] ?? '–',
    named: classes[named] ?? '–',
    share: words.metric('confidence', result.probabilities[named]),
  })
}

/** The class that a heat map speaks of. */
function namedText({ test: { classes } }: Facts, words: Words, { result }: PicturedItem): string {
  const named = result.probabilities.indexOf(Math.max(...result.probabilities))
  return words.t('pictures.looked', { named: classes[named] ?? '–' })
}

/** The network as it was drawn when the run was made, with its figures for the data of the run. */
async function structureOf(
  ctx: Context,
  { test, inputs, training }: Facts,
  { reader, language }: Pick<Reading, 'reader' | 'language'>,
): Promise<Structure> {
  const { network, ownNetworkName } = training ?? test
  const text = inputs.networkText ?? networks.textOf(network)
  if (text === null) throw fail('report_not_ready')
  const { svg, width, height } = await networks.drawingOf(ctx, {
    memberId: reader.id,
    ...{ text, language },
    data: dataOf(test, inputs.plan),
  })
  const title = textsOf('networks', language)[`${network}.title`] ?? network
  const source = ownNetworkName === null ? networks.sourceOf(network) : ''
  return { svg, width, height, source, name: ownNetworkName ?? title }
}

/** What the network was built for. */
function dataOf({ task, hyper }: Facts['test'], plan: Plan) {
  const [image] = Object.values(plan.inputs)
  if (image?.k !== 'map') return {}
  const result = plan.nodes.find(({ id }) => id === Object.values(plan.heads)[0]?.from)?.type
  const factor = result?.k === 'map' ? Math.round((result.s.at(-1) ?? 1) / (image.s.at(-1) ?? 1)) : 1
  return {
    channels: image.c,
    size: image.s,
    ...(isRestoration(task) ? {} : { classes: hyper.numClass }),
    ...(task === 'super_resolution' ? { factor } : {}),
  }
}
