// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/rows/failurelist.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "widgets/detail/jobs/rows/rowstable.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

#include <algorithm>

namespace lk {

namespace {

const QString dash = QStringLiteral("\u2013");

RowColumns<FailureRow> failureColumns()
{
    return RowColumns<FailureRow>{
        {.title = FailureList::tr("Jobs"),
         .text = [](const FailureRow& row) { return QLocale().toString(row.group.count); },
         .isNumber = true},
        {.title = FailureList::tr("Error"),
         .text =
             [](const FailureRow& row) {
                 return row.group.error.isEmpty() ? FailureList::tr("no error stored")
                                                  : displayPreview(row.group.error, 240);
             }},
        {.title = FailureList::tr("Name"),
         .text =
             [](const FailureRow& row) {
                 return row.group.name.isEmpty() ? dash : displayPreview(row.group.name, 120);
             }},
        {.title = FailureList::tr("Last seen"), .text = &FailureRow::seen, .isNumber = true}};
}

} // namespace

FailureList::FailureList(QWidget* parent)
    : QWidget(parent)
    , m_summary(new QLabel)
    , m_retry(new QToolButton)
    , m_model(new RowModel<FailureRow>(failureColumns()))
    , m_table(new RowsTable(m_model, 1))
{
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setFont(uiFont(TextSize::Caption));
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_table->setAccessibleName(tr("Failures"));
    m_table->setObjectName(QStringLiteral("failures"));
    m_table->setToolTip(tr("Return shows the jobs with that error"));
    m_retry->setText(tr("Retry these jobs\u2026"));
    m_retry->setFont(uiFont(TextSize::Caption));
    m_retry->setAutoRaise(true);
    m_retry->setFocusPolicy(Qt::StrongFocus);
    m_retry->hide();
    auto* head = rowOf(8, {{m_summary, 1}, m_retry});
    connect(m_retry, &QToolButton::clicked, this, &FailureList::retry);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &FailureList::updateRetry);
    columnIn(this, {}, 4, {head, m_table});
    connect(m_table, &RowsTable::opened, this, [this](int row) {
        if (const FailureRow* failure = m_model->at(row))
            emit wanted(displayName(failure->group.error.isEmpty() ? failure->group.name
                                                                   : failure->group.error));
    });
}

const FailureGroup* FailureList::current() const
{
    const FailureRow* row = m_model->at(m_table->selectedRow());
    return row ? &row->group : nullptr;
}

void FailureList::setRetry(const Action* action, const QString& whyNot)
{
    m_action = action;
    m_whyNot = whyNot;
    updateRetry();
}

void FailureList::updateRetry()
{
    m_retry->setVisible(m_action);
    m_retry->setEnabled(m_action && m_whyNot.isEmpty() && current());
    m_retry->setToolTip(!m_whyNot.isEmpty() ? tr("Not available: %1").arg(m_whyNot)
                        : current()         ? tr("Requeues the failed jobs of this group")
                                            : tr("Select a group first"));
}

void FailureList::retry()
{
    const FailureGroup* group = current();
    if (!group || !m_action)
        return;
    JobChoice jobs;
    jobs.role = JobRole::Dead;
    jobs.count = int(group->count);
    if (!group->error.isEmpty())
        jobs.given["error"] = group->error;
    if (!group->name.isEmpty())
        jobs.given["name"] = group->name;
    if (!jobs.given.empty())
        emit actionWanted(m_action, jobs);
}

QString FailureList::summaryText(const QueueState& queue, const FailuresCountedPtr& counted) const
{
    const QLocale locale;
    const qint64 all = queue.dead.value_or(0);
    QStringList parts;
    if (queue.failuresRead >= all)
        parts << tr("Of all %1 failed jobs").arg(locale.toString(queue.failuresRead));
    else if (!m_counted)
        parts << tr("Of the newest %1 of %2 failed jobs")
                     .arg(locale.toString(queue.failuresRead), locale.toString(all));
    else if (m_counted->counted < m_counted->total)
        parts << tr("Of the newest %1 of %2 failed jobs")
                     .arg(locale.toString(m_counted->counted), locale.toString(m_counted->total));
    else
        parts << tr("Of all %1 failed jobs").arg(locale.toString(m_counted->counted));
    if (m_counted && all > m_counted->total)
        parts << tr("%1 more since").arg(locale.toString(all - m_counted->total));
    if (m_counted && m_counted->furtherGroups > 0)
        parts << tr("%1 rarer groups left out").arg(locale.toString(m_counted->furtherGroups));
    if (counted && counted->underWay)
        parts << tr("counting, %1 so far\u2026").arg(locale.toString(counted->counted));
    else if (counted && counted->problem)
        parts << errorText(*counted->problem);
    return parts.join(QStringLiteral(" \u00b7 "));
}

// Shows a count once it is done: rows that change places would be taken for others.
void FailureList::setQueue(const QueueState& queue, const FailuresCountedPtr& counted, qint64 nowMs)
{
    if (!counted || queue.failuresRead >= queue.dead.value_or(0))
        m_counted.reset();
    else if (!counted->underWay && !counted->problem)
        m_counted = counted;
    m_summary->setText(summaryText(queue, counted));
    std::vector<FailureRow> rows;
    for (const FailureGroup& group : m_counted ? m_counted->groups : queue.failures) {
        const QString age =
            group.lastMs ? formatDuration(std::max<qint64>(0, nowMs - *group.lastMs)) : QString();
        rows.push_back({group, age.isEmpty() ? dash : tr("%1 ago").arg(age)});
    }
    m_model->setRows(std::move(rows), [](const FailureRow& row) {
        return std::pair(row.group.error, row.group.name);
    });
    updateRetry();
}

} // namespace lk
