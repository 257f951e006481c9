// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// The form of a name that has a day or an hour in it, as "users:active:YYYY-MM-DD" for
/// "users:active:2026-11-21" and "dau:YYYYMMDDHH" for "dau:2026112105". Empty if the name has
/// none. The names of one form sort by time.
QByteArray periodForm(const QByteArray& name);

} // namespace lk
