import { z } from 'zod';
import { VideoInput } from './videos-input.ts';

const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language such as en or pt-BR');
const Origin = z.enum(['uploader_provided', 'auto_generated']);

export const SubtitlesInput = z.object({
  video_id: VideoInput.shape.video_id,
  language: Language.optional().describe(
    'Language of the subtitles, BCP 47; otherwise the first of the uploader, else those made by the site',
  ),
  origin: z
    .enum([...Origin.options, 'any'])
    .default('any')
    .describe('Who made them; of any those of the uploader first'),
  translate_to: Language.optional().describe('Language that the site translates them to'),
  format: z
    .enum(['segments', 'text', 'srt', 'vtt'])
    .default('segments')
    .describe('What is answered beside the plain text: segments with their times, nothing, or a subtitle file'),
});

export type SubtitlesInput = z.output<typeof SubtitlesInput>;

/** A stretch of subtitles. */
export const SubtitleSegment = z.object({
  start_ms: z.int().min(0),
  duration_ms: z.int().min(0).nullable(),
  text: z.string(),
});

export type SubtitleSegment = z.output<typeof SubtitleSegment>;

/** Subtitles of a video, as the player offers them. */
export const SubtitleTrack = z.object({
  language_code: z.string(),
  language_name: z.string().nullable(),
  origin: Origin,
  is_translatable: z.boolean().nullable(),
});

export type SubtitleTrack = z.output<typeof SubtitleTrack>;

export const Subtitles = z.object({
  video_id: z.string(),
  language_code: z.string(),
  language_name: z.string().nullable(),
  origin: Origin,
  is_translated: z.boolean(),
  format: SubtitlesInput.shape.format.unwrap(),
  segments: z.array(SubtitleSegment).readonly().nullable().describe('Of format=segments; null of others'),
  text: z.string().describe('All of it, a line each'),
  content: z.string().nullable().describe('The file of format=srt and format=vtt; null of others'),
  available: z.array(SubtitleTrack).readonly().nullable().describe('All subtitles of the video'),
});

export type Subtitles = z.output<typeof Subtitles>;
