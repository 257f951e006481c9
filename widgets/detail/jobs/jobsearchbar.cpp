// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/jobsearchbar.h"

#include "backend/text/errortext.h"
#include "widgets/controls/input/searchfield.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

namespace lk {

namespace {

constexpr int jobSearchBarPauseMs = 350; // after the last key

} // namespace

JobSearchBar::JobSearchBar(QWidget* parent)
    : QWidget(parent)
    , m_field(searchField(tr("Search jobs"), tr("Search jobs: ID, name, worker, error, payload")))
    , m_progress(new QLabel)
    , m_more(new QToolButton)
{
    m_field->setObjectName(QStringLiteral("jobSearch"));
    m_field->installEventFilter(this);
    m_progress->setObjectName(QStringLiteral("jobSearchProgress"));
    m_progress->setFont(uiFont(TextSize::Caption));
    m_progress->setForegroundRole(QPalette::PlaceholderText);
    m_progress->setTextFormat(Qt::PlainText);
    m_progress->setWordWrap(true);
    m_progress->hide();
    m_more->setText(tr("Search more"));
    m_more->setFont(uiFont(TextSize::Caption));
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->hide();
    auto* told = rowOf(8, {{m_progress, 1}, m_more});
    columnIn(this, {}, 4, {m_field, told});
    m_typed.setSingleShot(true);
    m_typed.setInterval(jobSearchBarPauseMs);
    connect(&m_typed, &QTimer::timeout, this, [this] { emit wanted(m_field->text()); });
    connect(m_field, &QLineEdit::textChanged, &m_typed, qOverload<>(&QTimer::start));
    connect(m_more, &QToolButton::clicked, this, &JobSearchBar::moreWanted);
}

QString JobSearchBar::text() const
{
    return m_field->text();
}

void JobSearchBar::setText(const QString& text)
{
    m_field->setText(text);
    m_typed.stop();
    emit wanted(text);
}

void JobSearchBar::clear()
{
    m_field->clear();
    m_typed.stop();
}

QString JobSearchBar::progressText(const JobsFound& found)
{
    const QLocale locale;
    if (found.problem)
        return errorText(*found.problem);
    const QString count =
        found.found > qint64(found.jobs.size())
            ? tr("%1 found, the first %2 shown")
                  .arg(locale.toString(found.found), locale.toString(qint64(found.jobs.size())))
            : tr("%1 found").arg(locale.toString(found.found));
    const QString scanned = locale.toString(found.scanned);
    if (!found.more && !found.underWay)
        return tr("%1, searched all %2").arg(count, scanned);
    return found.total
               ? tr("%1, searched %2 of %3").arg(count, scanned, locale.toString(*found.total))
               : tr("%1, searched %2").arg(count, scanned);
}

void JobSearchBar::showFound(const JobsFoundPtr& found)
{
    m_progress->setVisible(found != nullptr);
    m_more->setVisible(found && found->more);
    if (found)
        m_progress->setText(progressText(*found));
}

// Return looks at once, Escape ends the search.
bool JobSearchBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        m_typed.stop();
        emit wanted(m_field->text());
        return true;
    }
    if (key == Qt::Key_Escape && !m_field->text().isEmpty()) {
        setText({});
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lk
