/** Who labelled the images on this platform, when, and how far readers agree, in words and tables. */
import type { ReportBlock } from '@neuroloom/contract/reports'
import type { LabelHistory } from '../labelling/service.ts'
import type { Words } from './words.ts'

export function labelBlocks(history: LabelHistory | null, words: Words): ReportBlock[] {
  if (history === null) return []
  const { set, images, agreed, accepted, from, isBlind, readers, pairs } = history
  const nameOf = (number: number): string =>
    readers.find((one) => one.number === number)?.name ?? words.t('labels.reader', { number })
  const sentences = [
    words.t('labels.made', { set, images: words.number(images), readers: words.number(readers.length) }),
    words.t(`labels.from.${from}`),
    ...(readers.length > 1 ? [words.t(isBlind ? 'labels.blind' : 'labels.open')] : []),
    ...(agreed > 0 ? [words.t('labels.agreed', { count: agreed })] : []),
    ...(accepted > 0 ? [words.t('labels.accepted', { count: accepted })] : []),
  ]
  const counts: ReportBlock = {
    kind: 'table',
    caption: words.t('labels.readers'),
    head: ['reader', 'finished', 'accepted', 'first', 'last'].map((name) => words.t(`labels.head.${name}`)),
    rows: readers.map((one) => [
      nameOf(one.number),
      ...[
        words.number(one.finished),
        words.number(one.accepted),
        words.date(one.first),
        words.date(one.last),
      ],
    ]),
  }
  return [
    { kind: 'text', text: words.joined(sentences) },
    ...(readers.length > 0 ? [counts] : []),
    ...(pairs.length > 0 ? [agreementBlock(pairs, nameOf, words)] : []),
  ]
}

function agreementBlock(
  pairs: LabelHistory['pairs'],
  nameOf: (number: number) => string,
  words: Words,
): ReportBlock {
  const figure = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : words.number(value, 2)
  return {
    kind: 'table',
    caption: words.t('labels.agreement'),
    head: ['pair', 'images', 'kappa', 'dice', 'boxes'].map((name) => words.t(`labels.head.${name}`)),
    rows: pairs.map(({ one, other, images, kappa, classes, boxes }) => [
      words.t('labels.pair', { one: nameOf(one), other: nameOf(other) }),
      words.number(images),
      `${figure(kappa?.value)}${kappa?.range ? ` (${figure(kappa.range.low)} … ${figure(kappa.range.high)})` : ''}`,
      figure(classes.length === 0 ? null : classes.reduce((sum, { dice }) => sum + dice, 0) / classes.length),
      boxes.one + boxes.other === 0
        ? '–'
        : `${words.number(boxes.matched)} / ${words.number(boxes.one)}, ${words.number(boxes.other)}`,
    ]),
  }
}
