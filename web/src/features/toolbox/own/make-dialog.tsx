import { toolbox as limits, names } from '@neuroloom/contract/limits'
import type { Step } from '@neuroloom/contract/recipes/recipe'
import type { OpenSetting, OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import type { ToolPicture } from '@neuroloom/contract/toolbox/toolbox'
import { Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { SaveDialog } from '../../../ui/save-dialog.tsx'
import { OpenSettings } from './open-settings.tsx'
import styles from './own.module.css'
import { PictureChoice } from './picture-choice.tsx'
import { stillOpen } from './values.ts'

/** What a tool is made of: the steps of a kept recipe, or a training, whose images were perhaps prepared first. */
export type ToolSource =
  | { of: 'recipe'; sourceId: string; name: string; steps: readonly Step[] }
  | { of: 'network'; sourceId: string; name: string; isPrepared: boolean }

type Props = {
  source: ToolSource
  /** The tool that is changed; without it a new one is made. */
  tool?: OwnTool
  /** The steps of the source go into the tool. */
  takesNewest?: boolean
  onDone: (tool: OwnTool) => void
  onClose: () => void
}

/** Name, one sentence, a picture, and what its user may choose: that is a tool. */
export function MakeDialog({ source, tool, takesNewest = false, onDone, onClose }: Props) {
  const { t } = useTranslation('own-tools')
  const field = useId()
  const [name, setName] = useState(tool?.name ?? source.name.slice(0, names.length))
  const [about, setAbout] = useState(tool?.about ?? '')
  const [picture, setPicture] = useState<ToolPicture>(
    tool?.picture ?? (source.of === 'recipe' ? 'sliders' : 'images'),
  )
  const [open, setOpen] = useState<OpenSetting[]>(() => openAtFirst(source, tool))
  const options = { refresh: ['toolbox/ownTools', 'toolbox/ownTool'] as const, onDone }
  const make = useAction('toolbox/makeTool', options)
  const change = useAction('toolbox/changeTool', options)
  const draft = { name: name.trim(), about: about.trim(), picture, open }
  const { of, sourceId } = source
  return (
    <SaveDialog
      title={tool ? t(takesNewest ? 'make.newestTitle' : 'make.changeTitle', tool) : t('make.title')}
      saveLabel={t(tool ? 'make.change' : 'make.make')}
      isDisabled={name.trim() === '' || open.length > limits.settings}
      width={620}
      onSave={() =>
        tool
          ? change.mutateAsync({ id: tool.id, ...draft, takeNewest: takesNewest })
          : make.mutateAsync({ of, sourceId, ...draft })
      }
      onClose={onClose}
    >
      <div className={styles.make}>
        <p className={styles.soft}>{t(`make.lead.${of}`)}</p>
        <div className={styles.field}>
          <label htmlFor={`${field}-name`}>{t('make.name')}</label>
          <Input
            id={`${field}-name`}
            value={name}
            maxLength={names.length}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        <div className={styles.field}>
          <label htmlFor={`${field}-about`}>{t('make.about')}</label>
          <Input
            id={`${field}-about`}
            value={about}
            placeholder={t(`make.example.${of}`)}
            maxLength={limits.aboutLength}
            onChange={({ target }) => setAbout(target.value)}
          />
        </div>
        <PictureChoice value={picture} onChange={setPicture} />
        <fieldset className={styles.settings}>
          <legend>{t('make.open')}</legend>
          {source.of === 'recipe' ? (
            <OpenSettings steps={source.steps} open={open} onChange={setOpen} />
          ) : (
            <PreparedSetting isPrepared={source.isPrepared} open={open} onChange={setOpen} />
          )}
        </fieldset>
      </div>
    </SaveDialog>
  )
}

const openAtFirst = (source: ToolSource, tool: OwnTool | undefined): OpenSetting[] => {
  const before = tool?.made?.open ?? []
  return source.of === 'recipe' ? stillOpen(source.steps, before) : [...before]
}

const prepared: OpenSetting = { step: 0, key: 'prepared', label: '', min: null, max: null }
type PreparedProps = { isPrepared: boolean; open: OpenSetting[]; onChange: (open: OpenSetting[]) => void }

/** Of a network there is one thing to choose, where the training's images were prepared. */
function PreparedSetting({ isPrepared, open, onChange }: PreparedProps) {
  const { t } = useTranslation('own-tools')
  if (!isPrepared) return <p className={styles.soft}>{t('make.networkClosed')}</p>
  return (
    <Checkbox checked={open.length > 0} onChange={({ target }) => onChange(target.checked ? [prepared] : [])}>
      {t('prepared.label')}
    </Checkbox>
  )
}
