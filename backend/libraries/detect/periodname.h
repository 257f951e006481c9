// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// The form of a name that has a day or an hour in it, as "users:active:YYYY-MM-DD" for
/// "users:active:2026-11-21" and "dau:YYYYMMDDHH" for "dau:2026112105"; empty if it has none. The
/// names of one form sort as their times do.
QByteArray periodForm(const QByteArray& name);

} // namespace lk
