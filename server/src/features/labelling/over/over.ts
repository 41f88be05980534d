/** Labels over images in the viewer of files: those that stand in texts, and those of labelling sets. */
import type { OverlayCandidate } from '@neuroloom/contract/reading/overlays'
import { and, desc, eq, gt, inArray } from 'drizzle-orm'
import { Failure } from '../../../http/fail.ts'
import type { Tells } from '../../../infra/feature.ts'
import { users } from '../../accounts/tables.ts'
import { textsOf } from '../../datasets/service.ts'
import { isOwnReading, maySeeOthers, requireReading, selectSeen } from '../access.ts'
import { sizeOf } from '../show.ts'
import { labelItems, labelReadings, labelSets, labelSources } from '../tables.ts'
import { wholeNow } from '../wholes.ts'
import { type MarkedOrNot, markedOf } from './marked.ts'
import { readLabelsWork } from './read-labels.ts'

type LabelsOver = NonNullable<Tells['labelsOver']>
type Size = Parameters<LabelsOver['inFile']>[1]['image']['size']

export const labelsOver: LabelsOver = {
  async inFile(ctx, { askerId, image, others, file, tables }) {
    const { read } = textsOf(ctx.storage, [file, ...tables])
    const texts: { path: string; text: string }[] = []
    for (const { path, sizeBytes } of [file, ...tables]) {
      const text = await read(path, sizeBytes)
      if (text !== null) texts.push({ path, text })
    }
    const [width, height, depth] = image.size
    const asked = { texts, others, image: { ...image, size: [width, height, depth] as const } }
    const marked = await ctx.aside.ask(askerId, readLabelsWork, asked).catch(tooSlow)
    return sized(marked, image.size)
  },

  async candidates({ db }, { userId, sha256s }) {
    const rows = await db
      .selectDistinct({ reading: labelReadings, setId: labelItems.setId, reader: users.nickName })
      .from(labelSources)
      .innerJoin(labelItems, eq(labelItems.id, labelSources.itemId))
      .innerJoin(labelReadings, eq(labelReadings.itemId, labelItems.id))
      .leftJoin(users, eq(users.id, labelReadings.readerId))
      .where(
        and(
          inArray(labelSources.sha256, [...sha256s]),
          eq(labelSources.role, 'file'),
          gt(labelReadings.seq, 0),
        ),
      )
      .orderBy(desc(labelReadings.changedAt))
    if (rows.length === 0) return []
    const setIds = rows.map(({ setId }) => setId)
    const sets = await selectSeen(db, { id: userId }, inArray(labelSets.id, setIds))
    return rows.flatMap(({ reading, setId, reader }): OverlayCandidate[] => {
      const set = sets.find(({ id }) => id === setId)
      if (!set || !(isOwnReading(set, { id: userId }, reading) || maySeeOthers(set))) return []
      const own = reading.readerId === userId ? '' : (reader ?? '—')
      const { id, isAgreed } = reading
      return [{ id, name: set.name, kind: 'set', folder: '', reader: isAgreed ? null : own, isLikely: true }]
    })
  },

  async find({ db }, { userId, sha256s, id, size }) {
    const seen = await requireReading(db, { id: userId }, id).catch(orNull)
    if (!seen) return null
    const { set, item, reading } = seen
    const isOfImage = and(eq(labelSources.itemId, item.id), inArray(labelSources.sha256, [...sha256s]))
    if ((await db.$count(labelSources, isOfImage)) === 0) return null
    const own = sizeOf(item)
    const whole = await wholeNow(db, reading)
    if (!own || !whole) return null
    const [image, mask] = [size, own].map(said)
    if (image !== mask)
      return {
        name: set.name,
        marked: {
          refused: { name: 'overlay_other_image', params: { image: image ?? '', mask: mask ?? '' } },
        },
      }
    const classes = [...set.classes, ...set.formerClasses]
    return { name: set.name, marked: sized(markedOf(whole, { classes, leftOut: 0 }), size) }
  },
}

const said = (size: Size): string => size.filter((side, axis) => axis < 2 || side > 1).join(' × ')

const sized = (marked: MarkedOrNot, [width, height, depth]: Size) =>
  'refused' in marked
    ? marked
    : { ...marked, marks: { ...marked.marks, size: [width, height, depth] as [number, number, number] } }

function tooSlow(error: unknown): MarkedOrNot {
  if (error instanceof Failure && error.failure === 'work_too_large')
    return { refused: { name: 'too_slow', params: {} } }
  throw error
}

function orNull(error: unknown): null {
  if (error instanceof Failure) return null
  throw error
}
