// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/tables/waitinglist.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/theme/boxlayout.h"

#include <QLabel>
#include <QLocale>

namespace lk {

namespace {

constexpr size_t mostRows = 6;

FactGrid::Row rowOf(const ClientEntry& client)
{
    const QString address = displayPreview(client.address, 60);
    const QString what =
        WaitingList::tr("%1, blocked for %2")
            .arg(displayName(client.command.toUpper()), formatDuration(client.idleSeconds * 1000));
    if (client.name.isEmpty())
        return {address, what, false};
    return {displayPreview(client.name, 40), QStringLiteral("%1, %2").arg(address, what), false};
}

} // namespace

WaitingList::WaitingList(QWidget* parent)
    : QWidget(parent)
    , m_summary(new QLabel)
    , m_clients(new FactGrid)
{
    columnIn(this, {}, 4, {m_summary, m_clients});
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
}

QString WaitingList::summary(const WaitingWorkersPtr& waiting, const State& queue)
{
    using Known = WaitingWorkers::Known;
    if (!waiting)
        return tr("Not read yet");
    if (waiting->known == Known::Denied)
        return tr("Unknown: %1").arg(errorText(waiting->error));
    if (waiting->known == Known::TooMany)
        return tr("Not read: listing %1 connections would cost the server too much")
            .arg(QLocale().toString(waiting->connections));
    const int n = int(waiting->total);
    if (n == 0)
        return tr("No client is blocked on a list of this database");
    const auto* state = queue.as<QueueState>();
    if (state && state->ready.value_or(0) > 0)
        return tr("%Ln blocked on a list of this database; probably not this one, which has jobs "
                  "waiting",
                  nullptr, n);
    if (waiting->inferred == queue.primitive->id)
        return tr(
            "%Ln blocked on a list of this database; inferred to be this one: no other detected "
            "queue is empty",
            nullptr, n);
    return tr("%Ln blocked on a list of this database; the server does not say which", nullptr, n);
}

void WaitingList::setWaiting(const WaitingWorkersPtr& waiting, const State& queue)
{
    m_summary->setText(summary(waiting, queue));
    std::vector<FactGrid::Row> rows;
    if (waiting) {
        for (size_t i = 0; i < std::min(mostRows, waiting->clients.size()); ++i)
            rows.push_back(rowOf(waiting->clients[i]));
        if (waiting->total > qint64(rows.size()) && !rows.empty())
            rows.push_back({QString(),
                            tr("and %Ln more", nullptr, int(waiting->total - qint64(rows.size()))),
                            false});
    }
    m_clients->setVisible(!rows.empty());
    m_clients->setRows(std::move(rows));
}

} // namespace lk
