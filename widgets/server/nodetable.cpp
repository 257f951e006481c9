// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/server/nodetable.h"

#include "widgets/controls/tables/contentwidths.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/server/serverfacts.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lk {

namespace {

constexpr int visibleRows = 12;
constexpr qint64 busyLoad = 100; // commands a second from which "hottest" means anything
const QString unknown = QStringLiteral("\u2013");

QString count(const std::optional<qint64>& number)
{
    return number ? QLocale().toString(*number) : unknown;
}

QString nodeTableBytes(const std::optional<qint64>& number)
{
    return number ? QLocale().formattedDataSize(*number, 1, QLocale::DataSizeSIFormat) : unknown;
}

// Masters stay in the cluster's order, their replicas below them.
std::vector<NodeFacts> inOrder(const std::vector<NodeFacts>& nodes)
{
    std::vector<NodeFacts> sorted;
    for (const NodeFacts& node : nodes) {
        if (!node.master.isEmpty())
            continue;
        sorted.push_back(node);
        std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(sorted),
                     [&node](const NodeFacts& n) { return n.master == node.endpoint; });
    }
    return sorted;
}

bool isReplica(const NodeRow& row)
{
    return !row.node.master.isEmpty();
}

QString stateOf(const NodeRow& row)
{
    if (!row.node.reachable)
        return unknown;
    if (!*row.node.reachable)
        return isReplica(row) ? NodeModel::tr("down") : NodeModel::tr("does not answer");
    return row.isHottest ? NodeModel::tr("hottest") : NodeModel::tr("up");
}

QIcon stateIconOf(const NodeRow& row)
{
    return row.node.reachable ? healthIcon(*row.node.reachable ? Health::Ok : Health::Error,
                                           QGuiApplication::palette())
                              : QIcon();
}

QString durabilityWordOf(const NodeRow& row)
{
    if (isReplica(row))
        return {};
    return row.node.durability.appendOnly ? durabilityWord(row.node.durability) : unknown;
}

QString durabilityTip(const NodeRow& row)
{
    return row.node.durability.appendOnly ? durabilityText(row.node.durability, row.serverNowMs)
                                          : QString();
}

// A column that only masters fill.
RowColumn<NodeRow> masterColumn(const QString& title, QString (*text)(const NodeFacts&))
{
    return {
        .title = title,
        .text = [text](const NodeRow& row) { return isReplica(row) ? QString() : text(row.node); },
        .isNumber = true};
}

RowColumns<NodeRow> nodeColumns()
{
    return RowColumns<NodeRow>{
        {.title = NodeModel::tr("Node"),
         .text =
             [](const NodeRow& row) {
                 return isReplica(row) ? QStringLiteral("   ") + row.node.endpoint
                                       : row.node.endpoint;
             },
         .isMono = always<NodeRow>},
        {.title = NodeModel::tr("Role"),
         .text =
             [](const NodeRow& row) {
                 return isReplica(row) ? NodeModel::tr("replica") : NodeModel::tr("master");
             }},
        {.title = NodeModel::tr("State"), .text = stateOf, .icon = stateIconOf},
        masterColumn(NodeModel::tr("Slots"),
                     [](const NodeFacts& node) {
                         return node.slotCount ? QLocale().toString(*node.slotCount) : QString();
                     }),
        masterColumn(NodeModel::tr("Keys"), [](const NodeFacts& node) { return count(node.keys); }),
        masterColumn(NodeModel::tr("Memory"),
                     [](const NodeFacts& node) { return nodeTableBytes(node.memoryBytes); }),
        masterColumn(NodeModel::tr("Commands/s"),
                     [](const NodeFacts& node) { return count(node.commandsPerSecond); }),
        masterColumn(NodeModel::tr("Clients"),
                     [](const NodeFacts& node) { return count(node.clients); }),
        {.title = NodeModel::tr("Lag"),
         .text =
             [](const NodeRow& row) {
                 return isReplica(row) ? nodeTableBytes(row.node.lagBytes) : QString();
             },
         .isNumber = true},
        {.title = NodeModel::tr("Durability"), .text = durabilityWordOf, .tip = durabilityTip}};
}

} // namespace

NodeModel::NodeModel(QObject* parent)
    : RowModel(nodeColumns(), parent)
{}

void NodeModel::setNodes(const std::vector<NodeFacts>& nodes, qint64 serverNowMs)
{
    std::vector<NodeRow> rows;
    std::optional<qint64> mostLoad;
    int masters = 0;
    for (NodeFacts& node : inOrder(nodes)) {
        const bool master = node.master.isEmpty();
        masters += master ? 1 : 0;
        if (master && node.reachable.value_or(true) &&
            node.commandsPerSecond.value_or(0) >= busyLoad)
            mostLoad = std::max(mostLoad.value_or(0), *node.commandsPerSecond);
        rows.push_back({std::move(node), false, serverNowMs});
    }
    for (NodeRow& row : rows)
        row.isHottest =
            masters > 1 && mostLoad && !isReplica(row) && row.node.commandsPerSecond == mostLoad;
    setRows(std::move(rows));
}

NodeTable::NodeTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new NodeModel(this))
{
    setAccessibleName(tr("Nodes"));
    setModel(m_model);
    auto* arrangement =
        new TableArrangement(this,
                             {u"endpoint"_s, u"role"_s, u"state"_s, u"slots"_s, u"keys"_s,
                              u"memory"_s, u"load"_s, u"clients"_s, u"lag"_s, u"durability"_s},
                             u"nodes"_s);
    m_widths = new ContentWidths(this, NodeModel::EndpointColumn, arrangement);
}

void NodeTable::setNodes(const std::vector<NodeFacts>& nodes, qint64 serverNowMs)
{
    m_model->setNodes(nodes, serverNowMs);
    // A group without slots, or without replicas, has nothing to say there.
    const auto any = [&](auto told) { return std::any_of(nodes.begin(), nodes.end(), told); };
    setColumnHidden(NodeModel::SlotsColumn,
                    !any([](const NodeFacts& node) { return node.slotCount.has_value(); }));
    setColumnHidden(NodeModel::LagColumn,
                    !any([](const NodeFacts& node) { return !node.master.isEmpty(); }));
    m_widths->fit(std::clamp(m_model->rowCount(), 1, visibleRows));
}

} // namespace lk
