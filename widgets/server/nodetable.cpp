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

bool isNumber(int column)
{
    return column >= NodeModel::SlotsColumn && column <= NodeModel::LagColumn;
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

} // namespace

void NodeModel::setNodes(const std::vector<NodeFacts>& nodes, qint64 serverNowMs)
{
    m_serverNowMs = serverNowMs;
    std::vector<NodeFacts> sorted = inOrder(nodes);
    const int before = rowCount();
    const int after = int(sorted.size());
    const auto take = [&] {
        m_nodes = std::move(sorted);
        m_mostLoad.reset();
        int masters = 0;
        for (const NodeFacts& node : m_nodes) {
            masters += node.master.isEmpty() ? 1 : 0;
            if (node.master.isEmpty() && node.reachable.value_or(true) &&
                node.commandsPerSecond.value_or(0) >= busyLoad)
                m_mostLoad = std::max(m_mostLoad.value_or(0), *node.commandsPerSecond);
        }
        if (masters < 2)
            m_mostLoad.reset();
    };
    // Rows come and go at the end; then all of them tell something else.
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        take();
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        take();
        endRemoveRows();
    } else {
        take();
    }
    if (after > 0)
        emit dataChanged(index(0, 0), index(after - 1, ColumnTotal - 1));
}

int NodeModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_nodes.size());
}

int NodeModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QString NodeModel::text(const NodeFacts& node, int column) const
{
    const bool isReplica = !node.master.isEmpty();
    switch (column) {
    case EndpointColumn:
        return isReplica ? QStringLiteral("   ") + node.endpoint : node.endpoint;
    case RoleColumn:
        return isReplica ? tr("replica") : tr("master");
    case StateColumn:
        if (!node.reachable)
            return unknown;
        if (!*node.reachable)
            return isReplica ? tr("down") : tr("does not answer");
        return m_mostLoad && !isReplica && node.commandsPerSecond == m_mostLoad ? tr("hottest")
                                                                                : tr("up");
    case SlotsColumn:
        return isReplica || !node.slotCount ? QString() : QLocale().toString(*node.slotCount);
    case KeysColumn:
        return isReplica ? QString() : count(node.keys);
    case MemoryColumn:
        return isReplica ? QString() : nodeTableBytes(node.memoryBytes);
    case LoadColumn:
        return isReplica ? QString() : count(node.commandsPerSecond);
    case ClientsColumn:
        return isReplica ? QString() : count(node.clients);
    case LagColumn:
        return isReplica ? nodeTableBytes(node.lagBytes) : QString();
    default:
        break;
    }
    if (isReplica)
        return {};
    return node.durability.appendOnly ? durabilityWord(node.durability) : unknown;
}

QVariant NodeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const NodeFacts& node = m_nodes[size_t(index.row())];
    if (role == Qt::DisplayRole)
        return text(node, index.column());
    if (role == Qt::FontRole && index.column() == EndpointColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::ToolTipRole && index.column() == DurabilityColumn && node.durability.appendOnly)
        return plainTip(durabilityText(node.durability, m_serverNowMs));
    if (role == Qt::TextAlignmentRole && isNumber(index.column()))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::DecorationRole && index.column() == StateColumn && node.reachable)
        return healthIcon(*node.reachable ? Health::Ok : Health::Error, QGuiApplication::palette());
    return {};
}

QVariant NodeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isNumber(section))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case EndpointColumn:
        return tr("Node");
    case RoleColumn:
        return tr("Role");
    case StateColumn:
        return tr("State");
    case SlotsColumn:
        return tr("Slots");
    case KeysColumn:
        return tr("Keys");
    case MemoryColumn:
        return tr("Memory");
    case LoadColumn:
        return tr("Commands/s");
    case ClientsColumn:
        return tr("Clients");
    case LagColumn:
        return tr("Lag");
    default:
        return tr("Durability");
    }
}

NodeTable::NodeTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new NodeModel(this))
{
    setAccessibleName(tr("Nodes"));
    setSelectionMode(SingleSelection);
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
