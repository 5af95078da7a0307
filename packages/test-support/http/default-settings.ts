// What an operator who sets nothing gets.
import { answerSettings, httpSettingsOf } from '../../../src/http/frame/http-settings.ts';

export const defaultHttpSettings = httpSettingsOf((name) => answerSettings[name].default);
