// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>

class QWidget;

namespace lk {

/// Something that a person may save in a file.
struct SaveAs
{
    QString title; ///< of the question
    QString name;  ///< what is proposed; its suffix is given to a name that has none
    QString types; ///< as QFileDialog has them
    /// Asked in the GUI thread once the file is chosen, for what is there then; what it returns
    /// makes the file's bytes in another thread and holds values only.
    std::function<std::function<QByteArray()>()> content;
};

/// Asks over that widget for a file's name and saves; says so where it cannot.
void askToSave(QWidget* over, const SaveAs& what);

/// A table, as comma-separated values, UTF-8. name: what is proposed, without suffix.
void askToSaveCsv(QWidget* over, const QString& title, const QString& name,
                  const std::function<std::function<QString()>()>& table);

} // namespace lk
