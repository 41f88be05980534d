/** What the columns of a table of labels are, by their names. */
import { datasets as limits } from '@neuroloom/contract/limits'

export type Columns = {
  image: number
  /** The column with labels in words; null where each class has a column of its own. */
  label: number | null
  part: number | null
  patient: number | null
  /** All others by name: classes, if they hold nothing but 0 and 1. */
  others: { index: number; name: string }[]
}

/** Without spaces and signs between words. */
const names = {
  image: (
    'image images file filename filepath imagename imagefile imagefilename imagepath imageid imageindex path ' +
    'idcode imgid imgname imgpath isicid img 图像 图片 图像名 图片名 影像 影像名 文件 文件名 图像编号 图片编号 ' +
    'изображение снимок файл имяфайла имяснимка номерснимка'
  ).split(' '),
  label: (
    'label labels class classes classname classid category categories finallabel groundtruth gt dx ' +
    'target diagnosis diagnostic findinglabels finding findings disease pathology grade retinopathygrade drgrade ' +
    'adjudicateddrgrade level severity benignmalignant ' +
    '标签 类别 分类 诊断 结论 病种 分级 等级 метка метки класс классы категория диагноз заключение степень'
  ).split(' '),
  part: 'split part set subset partition fold datasettype 划分 集合 часть разбиение выборка'.split(' '),
  // What comes first is the larger whole; several series or lesions are of one patient.
  patient: (
    'patient patientid patientname patientnumber patientcode pid mrn subject subjectid participant participantid ' +
    'person personid volunteer case caseid ' +
    '患者 病人 受试者 被试 患者id 患者编号 病人id 病历号 住院号 病例 ' +
    'пациент idпациента пациентid кодпациента номерпациента испытуемый участник случай ' +
    'study studyid studyinstanceuid series seriesid seriesinstanceuid lesion lesionid'
  ).split(' '),
}

/** Of people and of how pictures were taken: never taken for what they show without being asked for. */
const circumstances = new Set(
  (
    'sex gender age ageapprox patientage patientgender patientsex race ethnicity height width weight bmi view viewposition ' +
    'position frontallateral appa projection modality laterality side eye localization location site anatomsite ' +
    'anatomsitegeneral anatomsitegeneralchallenge region bodypart dxtype diagnosistype source dataset machine ' +
    'manufacturer scanner device hospital center centre institution date year quality fold folder url license credit ' +
    'smoke drink pesticide hasbackground cancerhistory skincancerhistory fitspatrick offset followup number index id no ' +
    '性别 年龄 部位 体位 设备 医院 日期 пол возраст проекция аппарат больница дата источник локализация номер'
  ).split(' '),
)

/** Words that can only mean what is to be learned; with several others it is worth asking. */
const certain = new Set(names.label.slice(0, names.label.indexOf('dx') + 1))

type Standing = {
  /** Place among the words for labels, from 0; null = called otherwise. */
  label: number | null
  isCertain: boolean
  isCircumstance: boolean
}

/** What the name of one column says about its use as a label. */
export function standingOf(name: string): Standing {
  const key = keyOf(name)
  const place = names.label.indexOf(key)
  return {
    label: place < 0 ? null : place,
    isCertain: certain.has(key),
    isCircumstance: circumstances.has(key) || names.patient.includes(key) || names.part.includes(key),
  }
}

/** An age may be equal to the number of an image; numbers and names of cases may be what images are called. */
export const mayNameImages = (name: string): boolean =>
  !circumstances.has(keyOf(name)) || ['number', 'index', 'id', 'no', 'номер'].includes(keyOf(name))

/** Words of a name that promise a number of a person: `record_id`, `HospitalNo`, `住院编号`. */
const identifier =
  /(?:^|[^\p{L}])(?:(?:id|uid|pid|mrn|code|key|record|accession|номер|код|ид)(?:$|[^\p{L}])|(?:no|nr|num|number)[^\p{L}]*$)|编号|编码|号$/iu

/**
 * Whether somebody could mean people by the values of a column: not by ages, devices or dates, and by numbers only where
 * its name says so or they are written as numbers of people are (`00412`): else they count or measure something.
 */
export function mayNamePatients(name: string, values: Iterable<string>): boolean {
  const words = name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  const isIdentifier = identifier.test(words)
  if (circumstances.has(keyOf(name)) && !isIdentifier) return false
  const all = [...values]
  const numbers = all.filter((value) => /^[-+]?\d+(?:[.,]\d+)?(?:e[-+]?\d+)?$/i.test(value))
  if (numbers.length < all.length) return true
  if (numbers.some((value) => !/^\d+$/.test(value))) return false
  return isIdentifier || all.some((value) => /^0\d+$/.test(value))
}

/** Null where a table has no column of images: it is about something else. */
export function columnsOf(head: readonly string[]): Columns | null {
  const image = indexOf(head, 'image')
  return image === null ? null : columnsAround(head, image)
}

/** The other columns of a table whose images stand in this one. */
export function columnsAround(head: readonly string[], image: number): Columns {
  const find = (kind: keyof typeof names): number | null => {
    const found = indexOf(head, kind)
    return found === image ? null : found
  }
  const columns = { image, label: find('label'), part: find('part'), patient: find('patient') }
  const taken = new Set<number | null>(Object.values(columns))
  const others = head.flatMap((name, index) => (taken.has(index) || name === '' ? [] : [{ index, name }]))
  return { ...columns, others: others.slice(0, limits.classes) }
}

function indexOf(head: readonly string[], kind: keyof typeof names): number | null {
  const keys = head.map(keyOf)
  const found = names[kind].map((name) => keys.indexOf(name)).find((index) => index >= 0)
  return found ?? null
}

/** Letters and digits in small letters: `Image Index`, `image_index`. */
export const keyOf = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_.\-/()]/gu, '')

const yes = /^(1|1[.,]0+|true|yes|y|\+|[xх×✓✔√]|是|有|阳性|да|есть|positive|present)$/iu
const no = /^(|0|0[.,]0+|false|no|n|[-–−]|否|无|阴性|нет|negative|absent)$/iu

/**
 * `1.0` and `1,0` are what programs make of a 1, `１` what is typed between Chinese letters; people write signs and words.
 * Null for anything that is neither.
 */
export function readMark(cell: string): boolean | null {
  const plain = cell.normalize('NFKC').trim()
  if (yes.test(plain)) return true
  return no.test(plain) ? false : null
}

/** Neither yes nor no, as CheXpert writes it, or not said. */
export const isUncertain = (cell: string): boolean => /^-1([.,]0+)?$/.test(cell) || isUnsaid(cell)

/** As programs write that nothing is known; a class is called otherwise. */
export const isUnsaid = (cell: string): boolean => /^(#?n\/a|na|nan|null|\?+)$/i.test(cell.trim())
