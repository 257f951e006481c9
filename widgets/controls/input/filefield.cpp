// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/input/filefield.h"

#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>

namespace lk {

FileField::FileField(Words words, Inspect inspect, QWidget* parent)
    : QWidget(parent)
    , m_words(std::move(words))
    , m_inspect(std::move(inspect))
    , m_line(new QLineEdit(this))
    , m_message(new InlineMessage(this))
{
    m_line->setAccessibleName(m_words.name);
    m_line->setAccessibleDescription(m_words.hint);
    auto* button = new QPushButton(tr("Choose…"), this);
    button->setAccessibleName(tr("Choose: %1").arg(m_words.name));
    button->setAutoDefault(false);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->addWidget(m_line, 0, 0);
    grid->addWidget(button, 0, 1);
    grid->addWidget(m_message, 1, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    setFocusProxy(m_line);
    connect(button, &QPushButton::clicked, this, &FileField::choose);
    connect(m_line, &QLineEdit::textEdited, this, [this] {
        m_message->setMessage(InlineMessage::Tone::Hint, m_words.hint);
        emit changed();
    });
    connect(m_line, &QLineEdit::editingFinished, this, &FileField::check);
    check();
}

QString FileField::path() const
{
    return m_line->text().trimmed();
}

void FileField::setPath(const QString& path)
{
    m_line->setText(path);
    check();
    emit changed();
}

bool FileField::check()
{
    if (path().isEmpty()) {
        m_message->setMessage(InlineMessage::Tone::Hint, m_words.hint);
        return true;
    }
    const Result<QString> found = m_inspect(path());
    if (found)
        m_message->setMessage(InlineMessage::Tone::Ok, *found);
    else
        m_message->setError(found.error());
    return found.has_value();
}

void FileField::choose()
{
    auto* dialog = new QFileDialog(this, m_words.name, path(), m_words.types);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &FileField::setPath);
    dialog->open();
}

} // namespace lk
