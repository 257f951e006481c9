// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/dialog/joblinks.h"

#include "backend/core/names/keyname.h"
#include "backend/text/jobstatetitle.h"
#include "widgets/detail/jobs/rows/rowstable.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

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

} // namespace

JobLinks::JobLinks(QWidget* parent)
    : QWidget(parent)
    , m_table(new RowsTable(
          {{tr("Relation")}, {tr("Job"), false, true}, {tr("Queue"), false, true}, {tr("State")}},
          1))
    , m_more(new QLabel)
{
    m_table->setAccessibleName(tr("Linked jobs"));
    m_table->setObjectName(QStringLiteral("jobLinks"));
    m_table->setToolTip(tr("Return or a double click opens the job"));
    m_more->setFont(uiFont(TextSize::Caption));
    m_more->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_table);
    layout->addWidget(m_more);
    connect(m_table, &RowsTable::opened, this, [this](int row) {
        if (size_t(row) < m_links.size())
            emit opened(m_links[size_t(row)]);
    });
    hide();
}

void JobLinks::setLinks(std::vector<JobLink> links, qint64 leftOut,
                        const QHash<QByteArray, QByteArray>& names)
{
    m_links = std::move(links);
    m_leftOut = leftOut;
    std::vector<std::vector<RowsModel::Cell>> rows;
    for (const JobLink& link : m_links)
        rows.push_back({{relationText(link.relation)},
                        {displayPreview(link.id, mostChars)},
                        {orDash(names.value(link.queue, link.queue))},
                        {link.state.isEmpty() ? orDash({})
                                              : jobStateTitle({link.state, JobRole::Ready, {}})}});
    m_table->setRows(std::move(rows));
    m_table->setVisible(!m_links.empty());
    m_more->setText(m_links.empty() ? tr("%Ln linked jobs, too many to list", nullptr, int(leftOut))
                                    : tr("and %Ln more", nullptr, int(leftOut)));
    m_more->setVisible(leftOut > 0);
    setVisible(!isEmpty());
}

} // namespace lk
