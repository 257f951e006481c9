// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

/// Makes numbers have their digits in groups where the system names no language, as in a container
/// or a cron job: Qt 6.11 leaves the separators out there, earlier versions do not. Called before
/// the first text is made.
void useGroupedDigits();

} // namespace lk
