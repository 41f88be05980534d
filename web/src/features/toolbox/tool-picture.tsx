import {
  ApartmentOutlined,
  BarChartOutlined,
  BlockOutlined,
  ColumnWidthOutlined,
  ControlOutlined,
  DatabaseOutlined,
  EditOutlined,
  EyeInvisibleOutlined,
  EyeOutlined,
  HeatMapOutlined,
  MedicineBoxOutlined,
  PictureOutlined,
  RetweetOutlined,
  SplitCellsOutlined,
  SwapOutlined,
} from '@ant-design/icons'
import type { ToolPicture as Name } from '@neuroloom/contract/toolbox/toolbox'
import type { ReactNode } from 'react'

const pictures: Record<Name, ReactNode> = {
  chart: <BarChartOutlined aria-hidden />,
  database: <DatabaseOutlined aria-hidden />,
  parts: <SplitCellsOutlined aria-hidden />,
  eye: <EyeOutlined aria-hidden />,
  exchange: <SwapOutlined aria-hidden />,
  images: <PictureOutlined aria-hidden />,
  hidden: <EyeInvisibleOutlined aria-hidden />,
  sliders: <ControlOutlined aria-hidden />,
  pen: <EditOutlined aria-hidden />,
  layers: <ApartmentOutlined aria-hidden />,
  dice: <RetweetOutlined aria-hidden />,
  care: <MedicineBoxOutlined aria-hidden />,
  overlap: <BlockOutlined aria-hidden />,
  flow: <HeatMapOutlined aria-hidden />,
  ruler: <ColumnWidthOutlined aria-hidden />,
}

export const ToolPicture = ({ name }: { name: Name }): ReactNode => pictures[name]
