/** Labels over images in the viewer of files: what each format shows, where it is found, and to whom. */
import type { Overlay } from '@neuroloom/contract/reading/overlays'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import {
  boxThing,
  makeSet,
  mapOf,
  nameReader,
  picture,
  rectangle,
  segmentDeed,
  stepOf,
} from '../../../../test/labels.ts'
import { putBelow } from '../../../../test/uploads.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const put = (owner: Session, files: Record<string, Buffer | string>) => putBelow(server, owner, files)

const box = { kind: 'box', x: 3, y: 4, width: 10, height: 8, angle: 0 }
const voc = `<annotation><filename>7.png</filename><size><width>40</width><height>30</height></size>
  <object><name>cell</name><bndbox><xmin>4</xmin><ymin>5</ymin><xmax>13</xmax><ymax>12</ymax></bndbox></object></annotation>`
const labelme = JSON.stringify({
  imagePath: '7.png',
  flags: { blurred: true },
  shapes: [{ label: 'cell', points: [[3, 4], [13, 12]], shape_type: 'rectangle' }], // biome-ignore format: pairs
})
const cvat = `<annotations><version>1.1</version><meta><task><labels><label><name>cell</name><color>#ff00aa</color></label></labels></task></meta>
  <image id="0" name="7.png" width="40" height="30"><box label="cell" xtl="3" ytl="4" xbr="13" ybr="12"></box></image></annotations>`
const coco = (images: object[], annotations: object[]) =>
  JSON.stringify({ images, annotations, categories: [{ id: 1, name: 'cell' }] })
const cocoBox = { id: 1, image_id: 1, category_id: 1, bbox: [3, 4, 10, 8] }

describe('a file of labels', () => {
  const shown = async (files: Record<string, string>, image: string, path: string): Promise<Overlay> => {
    const me = await server.signUp({ vipLevel: 3 })
    const { idOf } = await put(me, { [image]: await picture(40, 30), ...files })
    const { data: near } = await server.call('files/overlays', { id: idOf(image) }, me)
    expect(near.candidates.find(({ id }) => id === idOf(path))).toMatchObject({ kind: 'labels' })
    return (await server.call('files/overlay', { id: idOf(image), maskId: idOf(path) }, me)).data
  }
  const shapes = ({ marks }: Overlay) => marks?.things.map(({ class: key, shape }) => [key, shape])

  it.each([
    [
      'COCO above the folder',
      'images/7.png',
      'annotations.json',
      coco([{ id: 1, file_name: '7.png' }], [cocoBox]),
    ],
    ['Pascal VOC in a folder beside it', 'images/7.png', 'Annotations/7.xml', voc],
    ['LabelMe next to the picture', '7.png', '7.json', labelme],
    ['CVAT beside its folder', 'images/7.png', 'cvat/annotations.xml', cvat],
    [
      'a table of boxes',
      'images/7.png',
      'boxes.csv',
      'filename,xmin,ymin,xmax,ymax,class\n7.png,3,4,13,12,cell\n',
    ],
  ])(
    'in %s shows its box',
    async (_, image, path, text) => {
      const laid = await shown({ [path]: text }, image, path)
      expect(laid).toMatchObject({ state: 'ready', reason: null, url: null, notes: [] })
      expect(laid.labels).toMatchObject([{ key: '1', name: 'cell', count: 1 }])
      expect(laid.marks?.size).toEqual([40, 30, 1])
      expect(shapes(laid)).toEqual([['1', box]])
    },
    60_000,
  )

  it('of YOLO takes the names of its classes from the table of its set', async () => {
    const laid = await shown(
      { 'labels/train/7.txt': '1 0.2 0.26666667 0.25 0.26666667\n', 'data.yaml': 'names: [bone, cell]\n' },
      'images/train/7.png',
      'labels/train/7.txt',
    )
    expect(laid.labels).toMatchObject([{ key: '1', name: 'cell', count: 1 }])
    expect(shapes(laid)?.[0]).toMatchObject(['1', { kind: 'box', width: 10 }])
  })

  it('shows pixels, colours and labels of the whole picture', async () => {
    const laid = await shown({ '7.json': labelme }, '7.png', '7.json')
    expect(laid.marks?.tags).toEqual(['blurred'])
    const runs = { size: [30, 40], counts: [0, 30, 1170] }
    const list = coco([{ id: 1, file_name: '7.png' }], [{ ...cocoBox, segmentation: runs, bbox: undefined }])
    const masks = await shown({ 'coco.json': list }, '7.png', 'coco.json')
    expect(masks.marks).toMatchObject({ things: [], segments: [{ number: 1, class: '1' }] })
    expect(masks.marks?.pixels).not.toBe('')
    const coloured = await shown({ 'cvat.xml': cvat }, '7.png', 'cvat.xml')
    expect(coloured.labels[0]?.colour).toBe('#ff00aa')
  })

  it('that means the picture of the same name elsewhere is not taken for this one’s', async () => {
    const me = await server.signUp({ vipLevel: 3 })
    const list = coco([{ id: 1, file_name: 'val/7.png' }], [cocoBox])
    const { idOf } = await put(me, {
      ...{ 'train/7.png': await picture(40, 30), 'val/7.png': await picture(40, 30) },
      'annotations.json': list,
    })
    const lay = async (image: string) =>
      (await server.call('files/overlay', { id: idOf(image), maskId: idOf('annotations.json') }, me)).data
    expect((await lay('train/7.png')).reason?.name).toBe('overlay_no_labels')
    expect((await lay('val/7.png')).marks?.things).toHaveLength(1)
  })

  it('that is broken, hostile, of another size or of nothing here is refused in a sentence', async () => {
    const refused = async (text: string, path = '7.xml') =>
      (await shown({ [path]: text }, '7.png', path)).reason
    const nothing = { name: 'overlay_no_labels', params: {} }
    expect(await refused('<!DOCTYPE a [<!ENTITY b "x">]><annotation>&b;</annotation>')).toEqual(nothing)
    expect(await refused('{"shapes": [', '7.json')).toEqual(nothing)
    expect(await refused('Ward round at eight', '7.txt')).toEqual(nothing)
    const sizes = { width: 80, height: 60 }
    expect(await refused(coco([{ id: 1, file_name: '7.png', ...sizes }], [cocoBox]), 'coco.json')).toEqual({
      name: 'overlay_other_image',
      params: { image: '40 × 30', mask: '80 × 60' },
    })
    const odd = coco([{ id: 1, file_name: '7.png' }], [cocoBox, { ...cocoBox, bbox: [0, 0, 0, 0] }])
    const laid = await shown({ 'coco.json': odd }, '7.png', 'coco.json')
    expect(laid.notes).toEqual([{ name: 'overlay_left_out', params: { count: 1 } }])
  })

  it('is shown as far as a share reaches', async () => {
    const me = await server.signUp({ vipLevel: 3 })
    const stranger = await server.signUp()
    const { top, idOf } = await put(me, {
      'images/7.png': await picture(40, 30),
      'images/7.xml': voc,
      '7.json': labelme,
    })
    const wanted = { id: idOf('images/7.png'), maskId: idOf('images/7.xml') }
    expect((await server.call('files/overlay', wanted, stranger)).data.error).toBe('missing')
    const linkTo = async (id: string) => {
      const made = await server.call(
        'files/createLink',
        { id, days: 7, password: null, withPatients: true },
        me,
      )
      return (await server.call('files/visitLink', { token: made.data.token, password: '' })).data.pass ?? ''
    }
    const whole = await linkTo(top)
    const laid = await server.call('files/overlayLinked', { pass: whole, ...wanted })
    expect(laid.data.marks?.things).toHaveLength(1)
    const inside = await linkTo(idOf('images'))
    const { data } = await server.call('files/overlaysLinked', { pass: inside, id: wanted.id })
    expect(data.candidates.map(({ name }) => name)).toEqual(['7.xml'])
    const beyond = await server.call('files/overlayLinked', {
      pass: inside,
      ...wanted,
      maskId: idOf('7.json'),
    })
    expect(beyond.data.error).toBe('missing')
  })
})

describe('a labelling set', () => {
  it('shows what one marked in it, to those who may see both the image and the reading', async () => {
    const me = await server.signUp({ vipLevel: 3 })
    const reader = await server.signUp()
    const set = await makeSet(server, me, { blind: true })
    const item = set.items.find(({ name }) => name === 'a.png')
    const { data: opened } = await server.call(
      'labelling/open',
      { itemId: item?.id ?? '', readingId: null },
      me,
    )
    const readingId = opened.reading?.id ?? ''
    const deeds = [
      { do: 'thing' as const, before: null, after: boxThing('one') },
      segmentDeed(1, 'stone'),
      rectangle(mapOf(32, 32), { x: 0, y: 0, width: 4, height: 4, segment: 1 }),
    ]
    await server.call('labelling/save', { readingId, after: 0, steps: deeds.map((deed) => stepOf(deed)) }, me)
    const { data: listed } = await server.call('files/list', { folderId: set.folderId }, me)
    const id = listed.entries.find(({ name }) => name === 'a.png')?.id ?? ''
    const { data: near } = await server.call('files/overlays', { id }, me)
    const own = { id: readingId, name: 'Kidneys', kind: 'set', folder: '', reader: '', isLikely: true }
    expect(near.candidates[0]).toEqual(own)
    const laid = (await server.call('files/overlay', { id, maskId: readingId }, me)).data
    expect(laid.labels).toEqual([
      { key: '1', name: 'Cyst', colour: '#e69f00', count: 1 },
      { key: '2', name: 'Stone', colour: '#56b4e9', count: 1 },
    ])
    expect(laid.marks).toMatchObject({
      size: [32, 32, 1],
      things: [{ class: '1' }],
      segments: [{ class: '2' }],
    })

    // A blind reader sees no other's marks; nor does anybody see them over an image of other bytes.
    await nameReader(server, { setId: set.id, reader, permission: 'read' })
    await server.call('files/share', { id: set.folderId, account: reader.account, permission: 'view' }, me)
    const theirs = await server.call('files/overlays', { id }, reader)
    expect(theirs.data.candidates.filter(({ kind }) => kind === 'set')).toEqual([])
    expect((await server.call('files/overlay', { id, maskId: readingId }, reader)).data.error).toBe('missing')
    const other = listed.entries.find(({ name }) => name === 'b2.png')?.id ?? ''
    expect((await server.call('files/overlay', { id: other, maskId: readingId }, me)).data.error).toBe(
      'missing',
    )
  })
})
