// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

/// Enables group separators in numbers if the system has no language set, as in a container or a
/// cron job. Qt 6.11 omits them there, earlier versions do not. Must be called before the first
/// text is made.
void useGroupedDigits();

} // namespace lk
