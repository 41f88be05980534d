import { FileImageOutlined, FileTextOutlined, FolderFilled } from '@ant-design/icons'
import type { DatasetLayout } from '@neuroloom/contract/datasets'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './folder-layouts.module.css'

/** The layouts; a table of several labels is another table. */
export type Drawing = DatasetLayout | 'csv_multilabel'

/** One way of arranging files, as a folder with its folders. */
export function LayoutDrawing({ drawing }: { drawing: Drawing }) {
  const { t } = useTranslation('datasets')
  return (
    <figure className={styles.layout}>
      <figcaption>{t(`layout.${drawing}`)}</figcaption>
      <Folder name={t('layout.folder')}>{insides[drawing]()}</Folder>
    </figure>
  )
}

const numbers = ['001', '002'] as const
const named = (ending: string): string[] => [...numbers.map((number) => `${number}.${ending}`), '…']

const insides: Record<Drawing, () => ReactNode> = {
  class_folders: () => <ClassFolders />,
  csv_labels: () => <Labelled columns={['class']} rows={[['classOne'], ['classTwo']]} />,
  csv_multilabel: () => (
    <Labelled
      columns={['findingOne', 'findingTwo']}
      rows={[
        [1, 0],
        [1, 1],
      ]}
    />
  ),
  name_classes: () => <NamedClasses />,
  csv_boxes: () => <BoxTable />,
  labelme: () => (
    <>
      <Files names={named('jpg')} />
      <Files names={named('json')} isText />
    </>
  ),
  cvat: () => (
    <>
      <Images ending="jpg" />
      <TextFile name="annotations.xml" hint="isBoxes" />
    </>
  ),
  images_masks: () => <Pairs folders={['images', 'masks']} hints={['isImages', 'isMasks']} ending="png" />,
  volume_pairs: () => (
    <Pairs folders={['imagesTr', 'labelsTr']} hints={['isVolumes', 'isLabels']} ending="nii.gz" />
  ),
  resolution_pairs: () => <Pairs folders={['LR', 'HR']} hints={['isSmall', 'isLarge']} ending="png" />,
  noise_pairs: () => <Pairs folders={['noisy', 'clean']} hints={['isNoisy', 'isClean']} ending="png" />,
  voc: () => (
    <Pairs
      folders={['JPEGImages', 'Annotations']}
      hints={['isImages', 'isBoxes']}
      ending="jpg"
      other={named('xml')}
    />
  ),
  coco: () => (
    <>
      <Images ending="jpg" />
      <TextFile name="annotations.json" hint="isBoxes" />
    </>
  ),
  yolo: () => (
    <>
      <Pairs
        folders={['images', 'labels']}
        hints={['isImages', 'isBoxes']}
        ending="jpg"
        other={named('txt')}
      />
      <TextFile name="data.yaml" hint="isNames" />
    </>
  ),
}

function NamedClasses() {
  const { t } = useTranslation('datasets')
  const words = [t('layout.classOne'), t('layout.classTwo')]
  return <Files names={[...words.flatMap((word) => [`${word}_001.png`, `${word}_002.png`]), '…']} />
}

function BoxTable() {
  const { t } = useTranslation('datasets')
  return (
    <>
      <Images ending="jpg" />
      <TextFile name="boxes.csv" hint="isTable" />
      <pre className={styles.table}>
        {[
          'image,label,xmin,ymin,xmax,ymax',
          `001.jpg,${t('layout.findingOne')},10,20,50,60`,
          `001.jpg,${t('layout.findingTwo')},70,15,90,40`,
          '…',
        ].join('\n')}
      </pre>
    </>
  )
}

function ClassFolders() {
  const { t } = useTranslation('datasets')
  return (
    <>
      <Folder name={t('layout.classOne')} hint={t('layout.isClass')}>
        <Files names={named('png')} />
      </Folder>
      <Folder name={t('layout.classTwo')} hint={t('layout.isClass')}>
        <Files names={['101.png', '102.png', '…']} />
      </Folder>
    </>
  )
}

type Hint =
  | 'isImages'
  | 'isMasks'
  | 'isVolumes'
  | 'isLabels'
  | 'isSmall'
  | 'isLarge'
  | 'isNoisy'
  | 'isClean'
  | 'isBoxes'
  | 'isNames'
  | 'isTable'
type PairsProps = {
  folders: readonly [string, string]
  hints: readonly [Hint, Hint]
  ending: string
  /** What lies in the second folder, where it is no picture. */
  other?: string[]
}

/** Two folders whose files have the same names. */
function Pairs({ folders, hints, ending, other }: PairsProps) {
  const { t } = useTranslation('datasets')
  return (
    <>
      <Folder name={folders[0]} hint={t(`layout.${hints[0]}`)}>
        <Files names={named(ending)} />
      </Folder>
      <Folder name={folders[1]} hint={t(`layout.${hints[1]}`)}>
        <Files names={other ?? named(ending)} isText={other !== undefined} />
      </Folder>
    </>
  )
}

function Images({ ending }: { ending: string }) {
  const { t } = useTranslation('datasets')
  return (
    <Folder name="images" hint={t('layout.isImages')}>
      <Files names={named(ending)} />
    </Folder>
  )
}

type LabelledProps = {
  columns: readonly ('class' | 'findingOne' | 'findingTwo')[]
  rows: readonly (readonly ('classOne' | 'classTwo' | number)[])[]
}

/** Images, and the first lines of their table. */
function Labelled({ columns, rows }: LabelledProps) {
  const { t } = useTranslation('datasets')
  const titles = columns.map((column) => (column === 'class' ? 'label' : t(`layout.${column}`)))
  return (
    <>
      <Images ending="png" />
      <TextFile name="labels.csv" hint="isTable" />
      <pre className={styles.table}>
        {[
          ['image', ...titles].join(','),
          ...rows.map((row, index) =>
            [
              `${numbers[index]}.png`,
              ...row.map((cell) => (typeof cell === 'number' ? cell : t(`layout.${cell}`))),
            ].join(','),
          ),
          '…',
        ].join('\n')}
      </pre>
    </>
  )
}

function TextFile({ name, hint }: { name: string; hint: Hint }) {
  const { t } = useTranslation('datasets')
  return (
    <span className={styles.file}>
      <FileTextOutlined aria-hidden /> <b>{name}</b> <small>{t(`layout.${hint}`)}</small>
    </span>
  )
}

function Folder({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className={styles.folder}>
      <span>
        <FolderFilled aria-hidden /> <b>{name}</b> {hint && <small>{hint}</small>}
      </span>
      <div className={styles.inside}>{children}</div>
    </div>
  )
}

function Files({ names, isText = false }: { names: string[]; isText?: boolean }) {
  const Icon = isText ? FileTextOutlined : FileImageOutlined
  return (
    <span className={styles.files}>
      {names.map((name) => (
        <span key={name}>
          {name !== '…' && <Icon aria-hidden />} {name}
        </span>
      ))}
    </span>
  )
}
