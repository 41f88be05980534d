import { describe, expect, it } from 'vitest'
import { images } from '../../../../../test/dataset-texts.ts'
import { findIn } from '../../../../../test/layouts.ts'
import type { Layout } from '../shapes.ts'

const lines = (...rows: string[]): string => rows.join('\n')
const two = images('images/1.jpg', 'images/2.jpg')

/** Boxes in pixels or shares, by image: class, then two corners. */
type PublishedBoxes = {
  files: Record<string, string>
  layout: Layout['layout']
  says: Record<string, [string, number, number, number, number][]>
  parts?: Record<string, string>
}

const publishedBoxes: Record<string, PublishedBoxes> = {
  'COCO in a list a part, beside what it says of the same images': {
    files: {
      ...images('train2017/000000000009.jpg', 'val2017/000000000139.jpg'),
      'annotations/instances_train2017.json': coco('000000000009.jpg', { bbox: [1, 2, 3, 4] }),
      'annotations/instances_val2017.json': coco('000000000139.jpg', { bbox: [5, 6, 7, 8] }),
      'annotations/person_keypoints_train2017.json': coco('000000000009.jpg', { bbox: [9, 9, 9, 9] }),
      'annotations/captions_train2017.json': '{"images":[],"annotations":[]}',
    },
    layout: 'coco',
    says: {
      'train2017/000000000009.jpg': [['cell', 1, 2, 4, 6]],
      'val2017/000000000139.jpg': [['cell', 5, 6, 12, 14]],
    },
    parts: { 'train2017/000000000009.jpg': 'train', 'val2017/000000000139.jpg': 'validation' },
  },
  'COCO with outlines alone': {
    files: {
      ...images('1.jpg'),
      'a.json': coco('1.jpg', {
        segmentation: [
          [10, 20, 30, 20, 30, 45],
          [5, 30, 6, 31, 5, 32],
        ],
      }),
    },
    layout: 'coco',
    says: { '1.jpg': [['cell', 5, 20, 30, 45]] },
  },
  'Pascal VOC with ImageSets and broken numbers': {
    files: {
      ...images('VOC2012/JPEGImages/2007_000027.jpg'),
      'VOC2012/Annotations/2007_000027.xml':
        '<annotation><filename>2007_000027.jpg</filename><object><name>person</name><bndbox><xmin>0.5</xmin><ymin>10.25</ymin><xmax>34.5</xmax><ymax>35.1</ymax></bndbox></object></annotation>',
      'VOC2012/ImageSets/Main/train.txt': '2007_000027\n',
    },
    layout: 'voc',
    says: { 'VOC2012/JPEGImages/2007_000027.jpg': [['person', 0.5, 10.25, 34.5, 35.1]] },
  },
  'YOLO of Roboflow': {
    files: {
      ...images('train/images/a_jpg.rf.1.jpg', 'valid/images/b_jpg.rf.2.jpg'),
      'train/labels/a_jpg.rf.1.txt': '1 0.5 0.5 0.5 0.25',
      'valid/labels/b_jpg.rf.2.txt': '0 0.5 0.5 1 1',
      'data.yaml': "train: ../train/images\nval: ../valid/images\nnc: 2\nnames: ['cat', 'dog']\n",
    },
    layout: 'yolo',
    says: {
      'train/images/a_jpg.rf.1.jpg': [['dog', 0.25, 0.375, 0.75, 0.625]],
      'valid/images/b_jpg.rf.2.jpg': [['cat', 0, 0, 1, 1]],
    },
  },
  LabelMe: {
    files: {
      ...two,
      'images/1.json': JSON.stringify({
        version: '5.0.1',
        imagePath: '1.jpg',
        imageWidth: 100,
        imageHeight: 50,
        shapes: [
          {
            label: 'cell',
            shape_type: 'polygon',
            points: [
              [1, 2],
              [9, 3],
              [5, 12],
            ],
          },
          {
            label: 'core',
            shape_type: 'circle',
            points: [
              [20, 20],
              [23, 24],
            ],
          },
        ],
      }),
      'images/2.json': JSON.stringify({
        imagePath: '2.jpg',
        shapes: [
          {
            label: 'cell',
            points: [
              [9, 9],
              [4, 6],
            ],
            shape_type: 'rectangle',
          },
        ],
      }),
    },
    layout: 'labelme',
    says: {
      'images/1.jpg': [
        ['cell', 1, 2, 9, 12],
        ['core', 15, 15, 25, 25],
      ],
      'images/2.jpg': [['cell', 4, 6, 9, 9]],
    },
  },
  'CVAT for images': {
    files: {
      ...two,
      'annotations.xml': lines(
        '<?xml version="1.0"?><annotations><version>1.1</version><meta><task><labels><label><name>cell</name></label></labels></task></meta>',
        '<image id="0" name="1.jpg" subset="train" width="100" height="50"><box label="cell" xtl="1.5" ytl="2" xbr="9" ybr="12"></box>',
        '<polygon label="core" points="10,10;20,12;15,30"></polygon></image>',
        '<image id="1" name="2.jpg" subset="val" width="100" height="50"></image></annotations>',
      ),
    },
    layout: 'cvat',
    says: {
      'images/1.jpg': [
        ['cell', 1.5, 2, 9, 12],
        ['core', 10, 10, 20, 30],
      ],
      'images/2.jpg': [],
    },
    parts: { 'images/1.jpg': 'train', 'images/2.jpg': 'validation' },
  },
  'Open Images, in shares, with names of codes': {
    files: {
      ...images('train/000002b66c9c498e.jpg'),
      'train-annotations-bbox.csv': lines(
        'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded',
        '000002b66c9c498e,xclick,/m/01g317,1,0.0125,0.1953,0.1484,0.5875,0',
      ),
      'class-descriptions-boxable.csv': '/m/01g317,Person\n/m/0k4j,Car\n',
    },
    layout: 'csv_boxes',
    says: { 'train/000002b66c9c498e.jpg': [['Person', 0.0125, 0.1484, 0.1953, 0.5875]] },
  },
  'wheat of Kaggle': {
    files: {
      ...images('train/b6ab77fd7.jpg'),
      'train.csv': lines(
        'image_id,width,height,bbox,source',
        'b6ab77fd7,1024,1024,"[834.0, 222.0, 56.0, 36.0]",usask_1',
        'b6ab77fd7,1024,1024,"[226.0, 548.0, 130.0, 58.0]",usask_1',
      ),
      'sample_submission.csv': 'image_id,PredictionString\naac893a91,1.0 0 0 50 50\n',
    },
    layout: 'csv_boxes',
    says: {
      'train/b6ab77fd7.jpg': [
        ['object', 834, 222, 890, 258],
        ['object', 226, 548, 356, 606],
      ],
    },
  },
  'RSNA pneumonia': {
    files: {
      ...images('stage_2_train_images/0004cfab.png', 'stage_2_train_images/00436515.png'),
      'stage_2_train_labels.csv': lines(
        'patientId,x,y,width,height,Target',
        '0004cfab,,,,,0',
        '00436515,264.0,152.0,213.0,379.0,1',
        '00436515,562.0,152.0,256.0,453.0,1',
      ),
      'stage_2_detailed_class_info.csv': lines(
        'patientId,class',
        '0004cfab,No Lung Opacity / Not Normal',
        '00436515,Lung Opacity',
      ),
    },
    layout: 'csv_boxes',
    says: {
      'stage_2_train_images/0004cfab.png': [],
      'stage_2_train_images/00436515.png': [
        ['1', 264, 152, 477, 531],
        ['1', 562, 152, 818, 605],
      ],
    },
  },
  'RetinaNet, without a head': {
    files: { ...two, 'annotations.csv': lines('/data/images/1.jpg,83,29,100,47,cow', 'images/2.jpg,,,,,') },
    layout: 'csv_boxes',
    says: { 'images/1.jpg': [['cow', 83, 29, 100, 47]], 'images/2.jpg': [] },
  },
  'boxes of NIH ChestX-ray14': {
    files: {
      ...images('images/00013118_008.png'),
      'BBox_List_2017.csv': lines(
        'Image Index,Finding Label,Bbox [x,y,w,h],,,',
        '00013118_008.png,Atelectasis,225.08,547.02,86.78,79.19,,,',
      ),
    },
    layout: 'csv_boxes',
    says: { 'images/00013118_008.png': [['Atelectasis', 225.08, 547.02, 311.86, 626.21]] },
  },
  'tables as TensorFlow has them': {
    files: {
      ...two,
      'train_labels.csv': lines(
        'filename,width,height,class,xmin,ymin,xmax,ymax',
        '1.jpg,100,50,cell,1,2,30,40',
      ),
    },
    layout: 'csv_boxes',
    says: { 'images/1.jpg': [['cell', 1, 2, 30, 40]] },
  },
}

function coco(name: string, annotation: object): string {
  return JSON.stringify({
    images: [{ id: 1, file_name: name }],
    annotations: [{ image_id: 1, category_id: 3, ...annotation }],
    categories: [{ id: 3, name: 'cell' }],
  })
}

describe('published data sets with boxes', () => {
  it.each(Object.entries(publishedBoxes))('%s', async (_, { files, layout, says, parts = {} }) => {
    const found = await findIn(files, 'detection')
    expect(found).toMatchObject({ layout })
    if (found.layout === null || 'pairs' in found || found.task !== 'detection') return
    const boxes = new Map(found.items.map((item) => [item.path, item]))
    for (const [path, expected] of Object.entries(says)) {
      const item = boxes.get(path)
      expect(item).toBeDefined()
      expect(item?.boxes).toHaveLength(expected.length)
      for (const [at, [name, ...sides]] of expected.entries()) {
        const box = item?.boxes[at]
        expect(found.classes[box?.class ?? -1]).toBe(name)
        for (const [index, side] of sides.entries())
          expect([box?.x0, box?.y0, box?.x1, box?.y1][index]).toBeCloseTo(side, 6)
      }
    }
    for (const [path, part] of Object.entries(parts)) expect(boxes.get(path)?.part).toBe(part)
  })

  it('are refused where a film, a line or outlines stand in their place, never guessed', async () => {
    const film =
      '<annotations><track id="0" label="cell"><box frame="0" xtl="1" ytl="1" xbr="2" ybr="2"/></track></annotations>'
    expect(await findIn({ ...two, 'annotations.xml': film }, 'detection')).toMatchObject({
      layout: null,
      problems: [{ path: 'annotations.xml', reason: 'annotation_unreadable', params: { line: 1 } }],
    })
    const line = {
      imagePath: '1.jpg',
      shapes: [
        {
          label: 'a',
          shape_type: 'linestrip',
          points: [
            [1, 1],
            [2, 2],
          ],
        },
      ],
    }
    expect(await findIn({ ...two, 'images/1.json': JSON.stringify(line) }, 'detection')).toMatchObject({
      layout: 'labelme',
      items: [],
      problems: [{ path: 'images/1.json', reason: 'shape_without_area', params: { number: 1 } }],
    })
    const half = lines('filename,class,xmin,ymin,xmax,ymax', '1.jpg,cell,1,2,,40', '2.jpg,cell,1,2,3,4')
    expect(await findIn({ ...two, 'boxes.csv': half }, 'detection')).toMatchObject({
      items: [{ path: 'images/2.jpg' }],
      problems: [
        { path: 'boxes.csv', reason: 'annotation_unreadable', params: { line: 2 } },
        { path: 'images/1.jpg', reason: 'labels_not_used' },
      ],
    })
  })
})
