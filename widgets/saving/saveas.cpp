// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/saving/saveas.h"

#include "widgets/saving/offthread.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::SaveAs)
};

void tellFailure(QWidget* over, const QString& title, const QString& path, const QString& why)
{
    auto* box = new QMessageBox(QMessageBox::Warning, title,
                                Text::tr("%1 could not be written: %2.").arg(path, why),
                                QMessageBox::Close, over);
    box->setTextFormat(Qt::PlainText); // a path is no markup
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace

void askToSave(QWidget* over, const SaveAs& what)
{
    auto* dialog = new QFileDialog(over, what.title, QString(), what.types);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(what.name.section(QLatin1Char('.'), -1));
    dialog->selectFile(what.name);
    QObject::connect(dialog, &QFileDialog::fileSelected, over, [over, what](const QString& path) {
        writeFile(over, path, what.content(), [over, what, path](const QString& why) {
            if (!why.isEmpty())
                tellFailure(over, what.title, path, why);
        });
    });
    dialog->open();
}

void askToSaveCsv(QWidget* over, const QString& title, const QString& name,
                  const std::function<std::function<QString()>()>& table)
{
    askToSave(over,
              {title, name + QStringLiteral(".csv"), Text::tr("Comma-separated values (*.csv)"),
               [table] { return [text = table()] { return text().toUtf8(); }; }});
}

} // namespace lk
