import { networkFileLimits } from '@neuroloom/contract/limits'
import { instantiate, templates } from '@neuroloom/contract/network/templates'
import { useTranslation } from 'react-i18next'
import { TemplateGallery } from '../../gallery.tsx'
import { useCreate } from './use-create.ts'

type TemplateChoice = Parameters<Parameters<typeof TemplateGallery>[0]['onChoose']>[0]

/** A proven network as one's own: one click takes it. `template`: only those of the task of this one. */
export function TemplateForm({ template: wanted }: { template: string | null }) {
  const { t } = useTranslation('templates')
  const create = useCreate()
  const choose = ({ template: id, size }: TemplateChoice) => {
    const template = templates.find((one) => one.id === id)
    if (template === undefined || create.isBusy) return
    const name = t(`template.${id}.title`).slice(0, networkFileLimits.nameLength)
    void create.fromDocument(name, ({ networks }) => {
      const document = networks.get(id)
      if (document === undefined) return undefined
      return instantiate(document, template[size], (block) => t(`block.${block}`, { defaultValue: '' }))
    })
  }
  const task = templates.find(({ id }) => id === wanted)?.task
  return <TemplateGallery {...(task === undefined ? {} : { task })} onChoose={choose} />
}
