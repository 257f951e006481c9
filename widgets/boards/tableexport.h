// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace lk {

/// Asks over that widget for a file's name and saves the table in it, as it is by then; says so
/// where it cannot. name: what is proposed, without its suffix.
void askToSaveCsv(QWidget* over, const QString& name, const std::function<QString()>& table);

} // namespace lk
