import { markedPattern, markedReader, partsOfName } from '@neuroloom/contract/reading/name-parts'
import { patientReader, patientRuleSchema, patternOf } from '@neuroloom/contract/reading/patient-rule'
import { describe, expect, it } from 'vitest'

/** The part in angle brackets is the marked one. */
function marked(text: string) {
  const from = text.indexOf('<')
  const to = text.indexOf('>') - 1
  return { example: text.replace(/[<>]/g, ''), from, to }
}

describe('the parts of a name', () => {
  it('are runs of letters and of digits, and what stands between; the ending is one', () => {
    const parts = partsOfName('pneumonia/person1072_bacteria_3006.nii.gz')
    expect(parts.map(({ text }) => text)).toEqual([
      ...['pneumonia', '/', 'person', '1072', '_', 'bacteria', '_', '3006'],
      '.nii.gz',
    ])
    expect(parts.map(({ kind }) => kind[0]).join('')).toBe('lbldblbdb')
    for (const { text, from, to } of parts) {
      expect('pneumonia/person1072_bacteria_3006.nii.gz'.slice(from, to)).toBe(text)
    }
  })

  it('are whole letters in Russian and Chinese, also where a letter is written in two', () => {
    expect(partsOfName('пациент12/снимок.png').map(({ text }) => text)).toEqual([
      ...['пациент', '12', '/', 'снимок', '.png'],
    ])
    expect(partsOfName('患者3_左.png').map(({ text }) => text)).toEqual(['患者', '3', '_', '左', '.png'])
    expect(partsOfName('й1.png'.normalize('NFD')).map(({ kind }) => kind)).toEqual([
      ...['letters', 'digits', 'between'],
    ])
  })
})

describe('a part marked in an example', () => {
  it.each([
    ['<person1072>_bacteria_3006.png', 'x/Person7_virus_1.png', 'person7', 'person…'],
    ['<person1072>_bacteria_3006.png', 'IM-0012-0001.png', null, 'person…'],
    ['person<1072>_bacteria_3006.png', 'person7_virus_1.png', '7', 'person…_bacteria_3006'],
    ['person<1072>_bacteria_3006.png', 'IM-0012-0001.png', null, 'person…_bacteria_3006'],
    ['CNV-<1016042>-1.png', 'DRUSEN-1016042-7.png', '1016042', 'CNV-…-1'],
    ['<IM-0012>-0001.png', 'NORMAL/IM-0115-0001-0002.png', 'im-0115', 'IM-…'],
    ['<TCGA-02-0006>_3.png', 'TCGA-A1-A0SB_1.png', 'tcga-a1-a0sb', 'TCGA-…-…'],
    ['<00000013>_005.png', '00000014_001.png', '00000014', '…_005'],
    ['a/<Smith>/1.png', 'b/Jones Mary/scan 7.png', 'jones mary', '…/1.png'],
    ['<smith>_left_1.png', 'jones_right_2.png', 'jones', '…_left_1'],
    ['set/<patient012>/slice03.png', 'patient7/a/b.png', 'patient7', 'patient…'],
    ['Image_<09>L.png', 'Image_10R.png', '10', 'Image_…L'],
    ['<пациент 3>_1.png', 'Пациент 12_9.png', 'пациент 12', 'пациент …'],
    ['<患者3>/1.png', '患者12/4.png', '患者12', '患者…'],
  ])('%s reads %s as %s', (example, path, patient, pattern) => {
    expect(markedReader(marked(example))(path)).toBe(patient)
    expect(markedPattern(marked(example))).toBe(pattern)
  })

  it('is read as a rule, and every other rule needs more than names', () => {
    const rule = patientRuleSchema.parse({ by: 'name', ...marked('<p12>_1.png') })
    expect(patientReader(rule)('P7_3.png')).toBe('p7')
    expect(patternOf(rule)).toBe('p…')
    expect(patternOf({ by: 'table', column: 'Patient' })).toBe('Patient')
    for (const by of ['none', 'file'] as const) {
      expect(patientReader({ by })('p12_1.png')).toBeNull()
      expect(patternOf({ by })).toBe('')
    }
  })

  it('cannot be empty or reach beyond the example', () => {
    for (const [from, to] of [
      [2, 2],
      [3, 1],
      [0, 99],
    ]) {
      expect(patientRuleSchema.safeParse({ by: 'name', example: 'p1.png', from, to }).success).toBe(false)
    }
  })
})
