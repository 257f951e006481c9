// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/server/serverpage.h"

#include "backend/session/masterelsewhere.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionseries.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/panels/panel.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/declare/recordingdialog.h"
#include "widgets/declare/recordingfacts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/server/nodetable.h"
#include "widgets/server/serverfacts.h"
#include "widgets/server/slottable.h"
#include "widgets/server/statustexts.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>

namespace lk {

namespace {

constexpr qint64 infoStaleAfterMs = 12'000; // it comes every five seconds

QWidget* padded(std::initializer_list<QWidget*> parts)
{
    auto* holder = new QWidget;
    auto* layout = columnIn(holder, {15, 0, 15, 8}, 8);
    for (QWidget* part : parts)
        layout->addWidget(part);
    layout->addStretch(1);
    return holder;
}

// A chart has a title of its own, two pixels from its edge, and all of the panel's height.
QWidget* chartIn(TimeChart* chart)
{
    auto* holder = new QWidget;
    columnIn(holder, {13, 0, 13, 4}, 0, {{chart, 1}});
    return holder;
}

QLabel* sentence()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText); // text from a server is never markup
    label->setWordWrap(true);
    label->setFont(uiFont(TextSize::Title));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

} // namespace

ServerPage::ServerPage(QWidget* parent)
    : Board({QStringLiteral("server"), tr("Server"), QStringLiteral("server")}, parent)
{
    buildLater();
}

void ServerPage::build()
{
    m_nodes = new NodeTable;
    m_nodesPanel = new Panel(tr("Nodes"), padded({m_nodes}));
    m_slots = new SlotTable;
    m_slotsNote = sentence();
    m_slotsPanel = new Panel(tr("Hottest slots"), padded({m_slotsNote, m_slots}));
    m_past = sentence();
    m_durable = sentence();
    m_replication = sentence();
    m_identity = new FactGrid;
    m_memory = new FactGrid;
    m_persistence = new FactGrid;
    m_replicationFacts = new FactGrid;
    m_master = new QPushButton;
    m_console = new FactGrid;
    m_recording = new FactGrid;
    m_recordingSettings = new QPushButton(tr("Recording settings…"));
    m_load = new TimeChart;
    m_memoryChart = new TimeChart;
    m_cost = new TimeChart;
    m_feed = new SeriesFeed(this);
    m_costFeed = new SeriesFeed(this);
    m_load->setTitle(tr("Server load"), tr("commands per second"), Metric::Unit::Count);
    m_feed->add(m_load,
                m_load->addSeries(tr("commands"), ColorRole::Accent, TimeChart::Shape::Line),
                SessionSeries::ServerCommands, {"server.instantaneous_ops_per_sec"});
    m_memoryChart->setTitle(tr("Memory"), tr("megabytes used"), Metric::Unit::Count);
    m_feed->add(m_memoryChart,
                m_memoryChart->addSeries(tr("memory"), ColorRole::Violet, TimeChart::Shape::Line),
                SessionSeries::ServerMegabytes, {"server.used_memory", 1e6});
    m_cost->setTitle(tr("This console's load"), tr("commands per second"), Metric::Unit::Count);
    m_costFeed->add(m_cost,
                    m_cost->addSeries(tr("own cost"), ColorRole::Teal, TimeChart::Shape::Line),
                    SessionSeries::OwnCommands);
    connect(m_feed, &SeriesFeed::momentChosen, this,
            [this](qint64 tMs) { emit wanted(MomentTarget{tMs}); });
    m_master->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(m_master, &QPushButton::clicked, this, [this] {
        if (m_server)
            emit wanted(MasterTarget{masterElsewhere(*m_server)});
    });
    for (TimeChart* chart : {m_load, m_memoryChart, m_cost})
        chart->setMinimumHeight(150);

    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setSpacing(12);
    m_past->setObjectName(QStringLiteral("serverPast"));
    m_past->setText(
        tr("The server, its nodes and the charts of load and memory show the past. All "
           "other figures are current, because they are not recorded. Outages, restarts "
           "and failovers are on the time bar."));
    m_past->hide();
    grid->addWidget(m_past, 0, 0, 1, 2);
    grid->addWidget(m_nodesPanel, 1, 0, 1, 2);
    grid->addWidget(m_slotsPanel, 2, 0, 1, 2);
    grid->addWidget(new Panel(tr("Server"), padded({m_identity})), 3, 0);
    grid->addWidget(new Panel(tr("Durability"), padded({m_durable, m_persistence})), 3, 1);
    grid->addWidget(new Panel(tr("Memory"), padded({m_memory})), 4, 0);
    grid->addWidget(
        new Panel(tr("Replication"), padded({m_replication, m_replicationFacts, m_master})), 4, 1);
    grid->addWidget(new Panel(tr("This console"), padded({m_console})), 5, 0);
    grid->addWidget(new Panel({}, chartIn(m_cost)), 5, 1);
    m_recordingSettings->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_recordingSettings->setToolTip(tr("Turn recording on or off; set its size and retention"));
    connect(m_recordingSettings, &QPushButton::clicked, this, [this] {
        if (m_server)
            RecordingDialog::open(m_server, this);
    });
    grid->addWidget(new Panel(tr("Recording"), padded({m_recording, m_recordingSettings})), 6, 0);
    grid->addWidget(new Panel({}, chartIn(m_load)), 6, 1);
    grid->addWidget(new Panel({}, chartIn(m_memoryChart)), 7, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(8, 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Server"));
    columnIn(this, {}, 0, {scroll});
}

QVariantMap ServerPage::arrangement() const
{
    return arrangementsIn(*this);
}

void ServerPage::arrange(const QVariantMap& state)
{
    setArrangementsIn(*this, state);
}

bool ServerPage::shows(const BoardTarget& target) const
{
    return std::holds_alternative<ServerTarget>(target);
}

void ServerPage::sessionChanged()
{
    if (m_server)
        m_server->disconnectAll(this);
    m_server = m_session ? m_session->live() : nullptr;
    m_past->setVisible(m_session && m_session->isPast());
    m_feed->setSource(m_session, SessionSeries::serverTotals, infoStaleAfterMs);
    m_costFeed->setSource(m_server, SessionSeries::serverTotals, infoStaleAfterMs);
    for (ChartWidget* chart : findChildren<ChartWidget*>())
        chart->setSubject({{}, m_server ? m_server->title() : QString()});
    if (m_session && m_session->isPast()) {
        connect(m_session, &Session::reported, this, &ServerPage::refresh);
        connect(m_session, &Session::infoChanged, this, &ServerPage::refresh);
    }
    if (m_server) {
        connect(m_server, &Session::infoChanged, this, &ServerPage::refresh);
        connect(m_server, &Session::reported, this, &ServerPage::refresh);
    }
    refresh();
}

void ServerPage::activeChanged()
{
    if (isActive() && m_server) {
        m_server->polling().setAttention({}, noHandle);
        refresh();
    }
}

void ServerPage::refresh()
{
    if (!isActive() || !m_server)
        return;
    const ServerInfo& info = m_server->info();
    const qint64 nowMs = m_server->serverNowMs();
    const std::vector<NodeFacts>& nodes = m_server->report().nodes;
    // The nodes of the past: another one may be master by now.
    const std::vector<NodeFacts>& shown = m_session->report().nodes;
    m_durable->setText(durabilityText(info, nowMs, nodes));
    m_replication->setText(replicationText(info, nodes));
    m_identity->setRows(
        identityFacts(m_session->info(), m_server->url(), shown, m_session->isPast()));
    m_memory->setRows(memoryFacts(info, nodes));
    m_persistence->setRows(persistenceFacts(info, nowMs, nodes));
    m_replicationFacts->setRows(replicationFacts(info, nodes));
    const QString master = masterElsewhere(*m_server);
    const bool alone = isAloneOfCluster(*m_server);
    m_master->setText(
        alone ? tr("Open the cluster")
              : tr("Connect to %1").arg(QString(master).replace(u'&', QLatin1String("&&"))));
    m_master->setVisible(alone || !master.isEmpty());
    m_nodesPanel->setVisible(shown.size() > 1);
    m_nodes->setNodes(shown, nowMs);
    showSlots(m_server->report().slotLoads);
    refreshConsole(*m_server);
    m_feed->refresh(m_session->serverNowMs());
    m_costFeed->refresh(nowMs);
}

void ServerPage::showSlots(const SlotLoads& loads)
{
    m_slotsPanel->setVisible(!loads.busiest.empty());
    m_slotsPanel->setTitle(loads.byKeys ? tr("Largest slots") : tr("Hottest slots"));
    m_slotsNote->setVisible(loads.byKeys);
    m_slotsNote->setText(tr("The slots with the most keys. To see the hottest ones, set "
                            "cluster-slot-stats-enabled to yes on the servers: they count no CPU "
                            "time for slots."));
    m_slots->setLoads(loads);
}

void ServerPage::refreshConsole(Session& session)
{
    const MonitorReport& report = session.report();
    const QLocale locale;
    std::vector<FactGrid::Row> rows{
        {tr("Change feed"), feedText(report.feed), false},
        {tr("Own cost"), costText(report.cost), false},
        {tr("Round trip"), roundTripText(report.cost), false},
        {tr("Server clock"), clockText(report.clock), false},
        {tr("Reading"), readingText(report, session.info()), false},
        {tr("Polling interval"),
         session.polling().isPaused()
             ? tr("paused")
             : tr("every %1").arg(formatDuration(report.pollingIntervalMs)),
         false},
        {tr("Primitives known"), locale.toString(report.primitives), false},
        {tr("Changed, not yet read"), locale.toString(report.backlog), false},
        {tr("Last scan"),
         report.scan.complete ? tr("%Ln key(s) in %1", nullptr, int(report.scan.scanned))
                                    .arg(formatDuration(report.scan.elapsedMs))
                              : tr("running: %Ln key(s) so far", nullptr, int(report.scan.scanned)),
         false}};
    m_console->setRows(rows);
    m_recording->setRows(recordingFacts(session));
}

} // namespace lk
