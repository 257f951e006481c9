// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/tableexport.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QSaveFile>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::TableExport)
};

} // namespace

void askToSaveCsv(QWidget* over, const QString& name, const std::function<QString()>& table)
{
    auto* dialog = new QFileDialog(over, Text::tr("Save the table"), QString(),
                                   Text::tr("Comma-separated values (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(name + QStringLiteral(".csv"));
    QObject::connect(dialog, &QFileDialog::fileSelected, over, [over, table](const QString& path) {
        QSaveFile file(path);
        if (file.open(QIODevice::WriteOnly) && file.write(table().toUtf8()) >= 0 && file.commit())
            return;
        auto* box = new QMessageBox(
            QMessageBox::Warning, Text::tr("Save the table"),
            Text::tr("The file could not be written: %1").arg(file.errorString()),
            QMessageBox::Close, over);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    dialog->open();
}

} // namespace lk
