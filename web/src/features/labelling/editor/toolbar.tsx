import {
  AimOutlined,
  BgColorsOutlined,
  BorderInnerOutlined,
  BorderOutlined,
  BuildOutlined,
  ClearOutlined,
  DragOutlined,
  EditOutlined,
  FormatPainterOutlined,
  GatewayOutlined,
  HighlightOutlined,
  LineOutlined,
  ScissorOutlined,
  SelectOutlined,
  ThunderboltOutlined,
} from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import type { ToolName } from '../tools/desk.ts'
import { toolFacts } from '../tools/tools.ts'
import { type Command, chooseTool, perform } from './commands.ts'
import styles from './editor.module.css'
import { useBench, useDesk } from './use-bench.ts'

const icons: Record<ToolName, typeof AimOutlined> = {
  hand: DragOutlined,
  select: SelectOutlined,
  cross: BorderInnerOutlined,
  brush: HighlightOutlined,
  eraser: ClearOutlined,
  fill: BgColorsOutlined,
  wand: ThunderboltOutlined,
  threshold: FormatPainterOutlined,
  superpixels: BuildOutlined,
  box: BorderOutlined,
  polygon: GatewayOutlined,
  line: LineOutlined,
  wire: ScissorOutlined,
  points: AimOutlined,
}

/** One press each; below, what proposes a change of what is drawn. */
export function Toolbar({ tools, commands }: { tools: readonly ToolName[]; commands: readonly Command[] }) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const chosen = useDesk(({ tool }) => tool)
  // While an earlier moment is looked at nothing is drawn.
  useDesk(({ earlier }) => earlier)
  return (
    <div className={styles.toolbar} role="toolbar" aria-label={t('tools')} aria-orientation="vertical">
      {tools.map((name) => {
        const Icon = icons[name]
        const title = `${t(`tool.${name}`)} (${toolFacts[name].letter.toUpperCase()})`
        return (
          <Button
            key={name}
            type={name === chosen ? 'primary' : 'text'}
            icon={<Icon aria-hidden />}
            aria-label={t(`tool.${name}`)}
            aria-pressed={name === chosen}
            title={title}
            disabled={!bench.isWritable && toolFacts[name].marks.length > 0}
            onClick={() => chooseTool(bench, name)}
          />
        )
      })}
      {commands.length > 0 && bench.isWritable && (
        <Dropdown
          trigger={['click']}
          placement="topRight"
          menu={{
            items: commands.map((key) => ({ key, label: t(`command.${key}`) })),
            onClick: ({ key }) => {
              const name = commands.find((one) => one === key)
              if (name) void perform(bench, name)
            },
          }}
        >
          <Button
            type="text"
            icon={<EditOutlined aria-hidden />}
            aria-label={t('commands')}
            title={t('commands')}
          />
        </Dropdown>
      )}
    </div>
  )
}
