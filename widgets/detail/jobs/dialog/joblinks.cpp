// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/dialog/joblinks.h"

#include "backend/core/names/keyname.h"
#include "backend/text/jobstatetitle.h"
#include "widgets/detail/jobs/rows/rowstable.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QLocale>

namespace lk {

namespace {

constexpr int mostChars = 120;

QString relationText(JobLink::Relation relation)
{
    switch (relation) {
    case JobLink::Relation::Parent:
        return JobLinks::tr("Parent");
    case JobLink::Relation::Child:
        return JobLinks::tr("Child");
    case JobLink::Relation::WaitsFor:
        return JobLinks::tr("Waits for");
    case JobLink::Relation::NeededBy:
        return JobLinks::tr("Runs after it");
    case JobLink::Relation::Group:
        break;
    }
    return JobLinks::tr("Same batch");
}

QString orDash(const QByteArray& text)
{
    return text.isEmpty() ? QStringLiteral("\u2013") : displayPreview(text, mostChars);
}

RowColumns<JobLinkRow> linkColumns()
{
    return RowColumns<JobLinkRow>{
        {.title = JobLinks::tr("Relation"),
         .text = [](const JobLinkRow& row) { return relationText(row.link.relation); }},
        {.title = JobLinks::tr("Job"),
         .text = [](const JobLinkRow& row) { return displayPreview(row.link.id, mostChars); },
         .isMono = always<JobLinkRow>},
        {.title = JobLinks::tr("Queue"),
         .text = [](const JobLinkRow& row) { return orDash(row.queue); },
         .isMono = always<JobLinkRow>},
        {.title = JobLinks::tr("State"), .text = [](const JobLinkRow& row) {
             const QByteArray& state = row.link.state;
             return state.isEmpty() ? orDash({}) : jobStateTitle({state, JobRole::Ready, {}});
         }}};
}

} // namespace

JobLinks::JobLinks(QWidget* parent)
    : QWidget(parent)
    , m_model(new RowModel<JobLinkRow>(linkColumns()))
    , m_table(new RowsTable(m_model, 1))
    , m_more(new QLabel)
{
    m_table->setAccessibleName(tr("Linked jobs"));
    m_table->setObjectName(QStringLiteral("jobLinks"));
    m_table->setToolTip(tr("Return or a double click opens the job"));
    m_more->setFont(uiFont(TextSize::Caption));
    m_more->setForegroundRole(QPalette::PlaceholderText);
    columnIn(this, {}, 4, {m_table, m_more});
    connect(m_table, &RowsTable::opened, this, [this](int row) {
        if (const JobLinkRow* link = m_model->at(row))
            emit opened(link->link);
    });
    hide();
}

void JobLinks::setLinks(const std::vector<JobLink>& links, qint64 leftOut,
                        const QHash<QByteArray, QByteArray>& names)
{
    m_leftOut = leftOut;
    std::vector<JobLinkRow> rows;
    for (const JobLink& link : links)
        rows.push_back({link, names.value(link.queue, link.queue)});
    m_model->setRows(std::move(rows));
    m_table->setVisible(!links.empty());
    m_more->setText(links.empty() ? tr("%Ln linked jobs, too many to list", nullptr, int(leftOut))
                                  : tr("and %Ln more", nullptr, int(leftOut)));
    m_more->setVisible(leftOut > 0);
    setVisible(!isEmpty());
}

} // namespace lk
