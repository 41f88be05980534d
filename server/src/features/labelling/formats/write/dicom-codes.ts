/** What segments are by SNOMED CT, where a class is plainly called so (PS3.16 CID 7150 and 7151 ff.); else simply tissue. */
import { sameName } from '@neuroloom/contract/labelling/classes'

export type Code = readonly [value: string, meaning: string]
type Coded = { category: Code; type: Code }

const anatomy: Code = ['123037004', 'Anatomical Structure']
const abnormal: Code = ['49755003', 'Morphologically Abnormal Structure']
const tissue: Code = ['85756007', 'Tissue']

const known: readonly [names: string, category: Code, type: Code][] = [
  ['liver 肝 肝脏 肝臟 печень', anatomy, ['10200004', 'Liver']],
  ['kidney kidneys 肾 肾脏 почка почки', anatomy, ['64033007', 'Kidney']],
  ['lung lungs 肺 肺部 легкое лёгкое легкие лёгкие', anatomy, ['39607008', 'Lung']],
  ['heart 心脏 心臟 сердце', anatomy, ['80891009', 'Heart']],
  ['brain 脑 大脑 мозг', anatomy, ['12738006', 'Brain']],
  ['spleen 脾 脾脏 селезенка селезёнка', anatomy, ['78961009', 'Spleen']],
  ['pancreas 胰 胰腺 поджелудочная', anatomy, ['15776009', 'Pancreas']],
  ['bladder 膀胱', anatomy, ['89837001', 'Urinary bladder']],
  ['stomach 胃 желудок', anatomy, ['69695003', 'Stomach']],
  ['aorta 主动脉 аорта', anatomy, ['15825003', 'Aorta']],
  ['prostate 前列腺 простата', anatomy, ['41216001', 'Prostate']],
  ['bone bones 骨 骨骼 кость кости', anatomy, ['272673000', 'Bone']],
  ['lesion lesions 病灶 病变 очаг поражение', abnormal, ['52988006', 'Lesion']],
  ['tumor tumour tumors tumours neoplasm 肿瘤 опухоль', abnormal, ['108369006', 'Neoplasm']],
]

export function codeOf(name: string): Coded {
  const same = sameName(name)
  const found = known.find(([names]) => names.split(' ').includes(same))
  return found ? { category: found[1], type: found[2] } : { category: tissue, type: tissue }
}
