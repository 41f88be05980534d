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
    'image file filename filepath imagename imagefile imagepath imageid imageindex path ' +
    '图像 图片 图像名 图片名 文件 文件名 изображение снимок файл имяфайла'
  ).split(' '),
  label: (
    'label labels class classes classname category categories diagnosis finding findings findinglabels target ' +
    '标签 类别 分类 诊断 метка метки класс классы диагноз'
  ).split(' '),
  part: 'split part set subset partition 划分 集合 часть разбиение выборка'.split(' '),
  patient: (
    'patient patientid subject subjectid participant participantid series seriesid case caseid ' +
    '患者 病人 病例 患者id пациент idпациента случай'
  ).split(' '),
}

/** Null where a table has no column of images: it is about something else. */
export function columnsOf(head: readonly string[]): Columns | null {
  const keys = head.map((name) =>
    name
      .normalize('NFC')
      .toLowerCase()
      .replace(/[\s_.-]/gu, ''),
  )
  const find = (wanted: readonly string[]): number | null => {
    const found = wanted.map((name) => keys.indexOf(name)).find((index) => index >= 0)
    return found ?? null
  }
  const image = find(names.image)
  if (image === null) return null
  const columns = { image, label: find(names.label), part: find(names.part), patient: find(names.patient) }
  const taken = new Set<number | null>(Object.values(columns))
  const others = head.flatMap((name, index) => (taken.has(index) || name === '' ? [] : [{ index, name }]))
  return { ...columns, others: others.slice(0, limits.classes) }
}

/** `1.0` is what statistics programs make of a 1; null for anything that is neither. */
export function readMark(cell: string): boolean | null {
  if (/^(1|1\.0+|true|yes)$/i.test(cell)) return true
  return /^(|0|0\.0+|false|no)$/i.test(cell) ? false : null
}
