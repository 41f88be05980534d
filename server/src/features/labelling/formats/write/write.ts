/** The writer of each format. */
import type { LabelFormat } from '@neuroloom/contract/labelling/exchange'
import type { Writer } from '../shapes.ts'
import { writeCoco } from './coco.ts'
import { writeCsv } from './csv.ts'
import { writeCvat, writeCvatVideo } from './cvat.ts'
import { writeDicomSeg } from './dicom-seg.ts'
import { writeLabelme } from './labelme.ts'
import { writeBinaryPng, writeNifti, writeNrrd, writePng } from './masks.ts'
import { writeSegNrrd } from './seg-nrrd.ts'
import { writeVoc } from './voc.ts'
import { writeYolo } from './yolo.ts'

export const writers: Record<LabelFormat, Writer> = {
  coco: writeCoco,
  yolo_boxes: writeYolo('boxes'),
  yolo_turned: writeYolo('turned'),
  yolo_outlines: writeYolo('outlines'),
  yolo_points: writeYolo('points'),
  voc: writeVoc,
  labelme: writeLabelme,
  cvat: writeCvat,
  cvat_video: writeCvatVideo,
  csv: writeCsv,
  png_index: writePng('index'),
  png_palette: writePng('palette'),
  png_colour: writePng('colour'),
  png_binary: writeBinaryPng,
  nifti: writeNifti,
  nrrd: writeNrrd,
  seg_nrrd: writeSegNrrd,
  dicom_seg: writeDicomSeg,
}
