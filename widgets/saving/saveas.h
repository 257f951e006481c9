// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

class QWidget;

namespace lk {

/// Contents that the user can save in a file.
struct SaveAs
{
    QString title; ///< the dialog's title
    QString name;  ///< the proposed name; its suffix is added to a name without one
    QString types; ///< the filter, as in QFileDialog
    /// Called in the GUI thread once the file is chosen. The returned function holds values only
    /// and makes the file's bytes in another thread.
    std::function<std::function<QByteArray()>()> content;
};

/// Asks for a file name, over that widget, and saves. Shows an error if that fails.
void askToSave(QWidget* over, const SaveAs& what);

/// Saves a table as comma-separated values in UTF-8. name: the proposed name, without suffix.
void askToSaveCsv(QWidget* over, const QString& title, const QString& name,
                  const std::function<std::function<QString()>()>& table);

} // namespace lk
