// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/clustermap.h"

#include "backend/core/names/keyname.h"
#include "backend/redis/url.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <map>

namespace lk {

namespace {

struct ClusterMapText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ClusterMap)
};

constexpr size_t maxOtherAddresses = 4; // per node

// "0-5460" or "5461"; not "[93-<-id]", a slot being migrated.
std::optional<std::pair<int, int>> rangeOf(const QByteArray& word)
{
    const qsizetype dash = word.indexOf('-');
    bool firstOk = false;
    bool lastOk = false;
    const int first = (dash < 0 ? word : word.left(dash)).toInt(&firstOk);
    const int last = dash < 0 ? first : word.mid(dash + 1).toInt(&lastOk);
    if (!firstOk || (dash >= 0 && !lastOk) || first < 0 || last < first || last >= clusterSlots)
        return std::nullopt;
    return std::pair(first, last);
}

} // namespace

int ClusterMap::Node::slotCount() const
{
    int count = 0;
    for (const auto& [first, last] : ranges)
        count += last - first + 1;
    return count;
}

bool ClusterMap::Node::owns(int slot) const
{
    return std::any_of(ranges.begin(), ranges.end(), [slot](const std::pair<int, int>& range) {
        return slot >= range.first && slot <= range.second;
    });
}

bool ClusterMap::Node::isNamed(const QString& endpoint_) const
{
    return address.endpoint == endpoint_ ||
           std::any_of(otherAddresses.begin(), otherAddresses.end(),
                       [&](const Address& other) { return other.endpoint == endpoint_; });
}

std::vector<Command> ClusterMap::commands()
{
    return {Command{"CLUSTER", "NODES"}, Command{"CLUSTER", "SLOTS"}, Command{"CLUSTER", "MYID"}};
}

Command ClusterMap::shardsCommand()
{
    return {"CLUSTER", "SHARDS"};
}

std::optional<ClusterMap> ClusterMap::fromReplies(std::span<const Reply> replies,
                                                  const QString& askedAt, bool tls)
{
    if (replies.size() < 3)
        return std::nullopt;
    std::optional<ClusterMap> map = fromNodes(replies[0], askedAt);
    if (!map && replies.size() > 3)
        map = fromShards(replies[3], replies[2], askedAt, tls);
    if (!map)
        return fromSlots(replies[1], replies[2], askedAt);
    map->takePreference(replies[1]);
    return map;
}

// A node that has met no other does not know its own address, and one may be configured to omit it
// (cluster-preferred-endpoint-type). It is then at the asked address.
ClusterMap::Address ClusterMap::addressOf(const QByteArray& hostPort, const QString& askedAt)
{
    const qsizetype colon = hostPort.lastIndexOf(':');
    bool isPort = false;
    const int port = hostPort.mid(colon + 1).toInt(&isPort);
    QByteArray host = hostPort.left(std::max<qsizetype>(colon, 0));
    if (host.startsWith('[') && host.endsWith(']'))
        host = host.mid(1, host.size() - 2);
    Address address;
    address.endpoint = displayName(hostPort.left(longestHost));
    if (colon < 0 || !isPort || port <= 0 || port > 65535 || host.size() > longestHost)
        return address;
    address.host = host.isEmpty() || host == "?" ? askedAt : displayName(host);
    address.port = quint16(port);
    address.endpoint = ServerUrl::Address{address.host, address.port}.text();
    return address;
}

namespace {

// Returns the address of a node that CLUSTER SLOTS reports as [host, port, id, [more]]. If the host
// is missing, the additional fields may contain it: ["ip", "10.0.0.5"].
QByteArray hostPortOf(const std::vector<Reply>& node)
{
    QByteArray host = node[0].text;
    const std::vector<Reply> none;
    const std::vector<Reply>& more = node.size() > 3 ? node[3].items : none;
    for (size_t i = 0; i + 1 < more.size(); i += 2) {
        if ((host.isEmpty() || host == "?") && more[i].text == "ip")
            host = more[i + 1].text;
    }
    return host + ':' + QByteArray::number(node[1].integer);
}

} // namespace

// A mark on a node's own line: "[93->-id]" on the one that gives the slot, "[93-<-id]" on the
// other.
void takeMark(const QByteArray& mark, ClusterMap::Node& node)
{
    ++node.migratingSlots;
    const qsizetype arrow = mark.indexOf("->-");
    const QByteArray to = mark.mid(arrow + 3, mark.size() - arrow - 4).left(ClusterMap::longestId);
    if (arrow > 0 && node.gives.size() < clusterSlots)
        node.gives.emplace_back(mark.mid(1, arrow - 1).toInt(), to);
}

// One line per node: id address flags master ping pong epoch link slots... The address is
// ip:port@cport[,hostname]; a slot being migrated is [93->-id] or [93-<-id].
std::optional<ClusterMap> ClusterMap::fromNodes(const Reply& nodes, const QString& askedAt)
{
    if (!nodes.isText())
        return std::nullopt;
    ClusterMap map;
    int ranges = 0;
    std::vector<std::pair<QByteArray, Replica>> replicas; // with their masters' ids
    for (const QByteArray& line : nodes.text.split('\n')) {
        const QByteArrayList words = line.simplified().split(' ');
        if (words.size() < 8 || map.m_masters.size() >= mostNodes)
            continue;
        const QByteArrayList flags = words[2].split(',');
        Address address = addressOf(words[1].left(words[1].indexOf('@')), askedAt);
        const QByteArray name = words[1].split(',').value(1);
        if (!name.contains('=') && name.size() <= longestHost)
            address.name = displayName(name); // others are further fields of the node
        const bool failed = flags.contains("fail") || flags.contains("fail?");
        if (flags.contains("slave") && replicas.size() < mostNodes)
            replicas.emplace_back(words[3], Replica{address, failed});
        if (!flags.contains("master"))
            continue;
        Node node;
        node.id = words[0].left(longestId);
        node.address = address;
        // Named by its id if its address is not known.
        node.endpoint = address.port != 0 ? address.endpoint : displayName(node.id.left(shortId));
        node.myself = flags.contains("myself");
        node.failed = failed || address.port == 0;
        node.epoch = words[6].toLongLong();
        for (qsizetype i = 8; i < words.size(); ++i) {
            if (const auto range = rangeOf(words[i]); range && ++ranges <= mostRanges)
                node.ranges.push_back(*range);
            else if (words[i].startsWith('['))
                takeMark(words[i], node);
        }
        if (address.port != 0 || !node.ranges.empty())
            map.m_masters.push_back(std::move(node));
    }
    for (auto& [master, replica] : replicas) {
        const auto it = std::find_if(map.m_masters.begin(), map.m_masters.end(),
                                     [&id = master](const Node& n) { return n.id == id; });
        if (it != map.m_masters.end())
            it->replicas.push_back(std::move(replica));
    }
    return map.m_masters.empty() ? std::nullopt : std::optional(std::move(map));
}

// CLUSTER SLOTS names each master as clients should connect to it.
void ClusterMap::takePreference(const Reply& slots_)
{
    if (std::all_of(m_masters.begin(), m_masters.end(),
                    [](const Node& node) { return node.address.name.isEmpty(); }))
        return;
    for (const Reply& range : slots_.items) {
        if (range.items.size() < 3 || range.items[2].items.size() < 3)
            continue;
        const std::vector<Reply>& master = range.items[2].items;
        for (const Node& node : m_masters) {
            if (node.id == master[2].text && !node.address.name.isEmpty())
                m_prefersNames = displayName(master[0].text) == node.address.name;
        }
        if (m_prefersNames)
            return;
    }
}

// Each range is: first, last, the master as [ip, port, id], its replicas.
std::optional<ClusterMap> ClusterMap::fromSlots(const Reply& slots_, const Reply& myId,
                                                const QString& askedAt)
{
    ClusterMap map;
    int ranges = 0;
    for (const Reply& range : slots_.items) {
        const bool whole = range.items.size() >= 3 && range.items[0].isInteger() &&
                           range.items[1].isInteger() && range.items[2].items.size() >= 3;
        if (!whole || map.m_masters.size() >= mostNodes || ++ranges > mostRanges)
            continue;
        const qint64 first = range.items[0].integer;
        const qint64 last = range.items[1].integer;
        if (first < 0 || last < first || last >= clusterSlots)
            continue;
        const std::vector<Reply>& master = range.items[2].items;
        auto it = std::find_if(map.m_masters.begin(), map.m_masters.end(),
                               [&](const Node& n) { return n.id == master[2].text; });
        if (it == map.m_masters.end()) {
            Node node;
            node.id = master[2].text;
            node.address = addressOf(hostPortOf(master), askedAt);
            node.endpoint =
                node.address.port != 0 ? node.address.endpoint : displayName(node.id.left(shortId));
            node.failed = node.address.port == 0;
            node.myself = myId.isText() && node.id == myId.text;
            map.m_masters.push_back(std::move(node));
            it = map.m_masters.end() - 1;
            for (size_t i = 3; i < range.items.size() && i < 10; ++i) {
                const std::vector<Reply>& replica = range.items[i].items;
                if (replica.size() >= 2)
                    it->replicas.push_back({addressOf(hostPortOf(replica), askedAt), false});
            }
        }
        it->ranges.emplace_back(int(first), int(last));
    }
    return map.m_masters.empty() ? std::nullopt : std::optional(std::move(map));
}

const ClusterMap::Node* ClusterMap::myself() const
{
    const auto it =
        std::find_if(m_masters.begin(), m_masters.end(), [](const Node& n) { return n.myself; });
    return it == m_masters.end() ? nullptr : &*it;
}

void ClusterMap::takeOwnSlots(const ClusterMap& others)
{
    const Node* own = others.myself();
    if (!own)
        return;
    const auto it = std::find_if(m_masters.begin(), m_masters.end(),
                                 [own](const Node& n) { return n.id == own->id; });
    if (it == m_masters.end() || it->myself)
        return;
    it->ranges = own->ranges;
    it->epoch = own->epoch;
    it->migratingSlots = own->migratingSlots;
    it->gives = own->gives;
}

void ClusterMap::keepOwnSlots(const ClusterMap& before)
{
    for (Node& node : m_masters) {
        const auto it = std::find_if(before.m_masters.begin(), before.m_masters.end(),
                                     [&node](const Node& n) { return n.id == node.id; });
        if (it == before.m_masters.end() || node.myself || it->ranges != node.ranges)
            continue;
        node.migratingSlots = it->migratingSlots;
        node.gives = it->gives;
    }
}

void ClusterMap::takeAddresses(const ClusterMap& others)
{
    for (Node& node : m_masters) {
        const Node* other = others.withId(node.id);
        if (!other)
            continue;
        std::vector<Address> told{other->address};
        told.insert(told.end(), other->otherAddresses.begin(), other->otherAddresses.end());
        for (const Address& address : told) {
            if (address.port != 0 && !node.isNamed(address.endpoint) &&
                node.otherAddresses.size() < maxOtherAddresses)
                node.otherAddresses.push_back(address);
        }
    }
}

void ClusterMap::setAddress(const QByteArray& id, const Address& address)
{
    for (Node& node : m_masters) {
        if (node.id != id || node.address.endpoint == address.endpoint)
            continue;
        std::erase_if(node.otherAddresses, [&address](const Address& other) {
            return other.endpoint == address.endpoint;
        });
        if (node.address.port != 0)
            node.otherAddresses.insert(node.otherAddresses.begin(), node.address);
        if (node.otherAddresses.size() > maxOtherAddresses)
            node.otherAddresses.pop_back();
        node.address = address;
        node.endpoint = address.endpoint;
    }
}

bool ClusterMap::takesFirst(const Node& master) const
{
    return master.ranges.empty() &&
           (master.migratingSlots > 0 ||
            std::any_of(m_masters.begin(), m_masters.end(), [&master](const Node& n) {
                return std::any_of(n.gives.begin(), n.gives.end(),
                                   [&](const auto& g) { return g.second == master.id; });
            }));
}

bool ClusterMap::counts(const Node& master) const
{
    return !master.ranges.empty() ||
           std::all_of(m_masters.begin(), m_masters.end(),
                       [](const Node& node) { return node.ranges.empty(); });
}

const ClusterMap::Node* ClusterMap::ownerOf(int slot) const
{
    const auto it = std::find_if(m_masters.begin(), m_masters.end(),
                                 [slot](const Node& n) { return n.owns(slot); });
    return it == m_masters.end() ? nullptr : &*it;
}

const ClusterMap::Node* ClusterMap::named(const QString& endpoint) const
{
    const auto it = std::find_if(m_masters.begin(), m_masters.end(),
                                 [&](const Node& n) { return n.endpoint == endpoint; });
    return it == m_masters.end() ? nullptr : &*it;
}

const ClusterMap::Node* ClusterMap::at(const Address& address) const
{
    if (address.port == 0)
        return nullptr;
    const auto isAt = [&address](const Address& a) {
        return a.port == address.port && !address.host.isEmpty() &&
               (a.host == address.host || a.name == address.host);
    };
    auto it = std::find_if(m_masters.begin(), m_masters.end(),
                           [&isAt](const Node& n) { return isAt(n.address); });
    if (it == m_masters.end()) {
        it = std::find_if(m_masters.begin(), m_masters.end(), [&isAt](const Node& n) {
            return std::any_of(n.otherAddresses.begin(), n.otherAddresses.end(), isAt);
        });
    }
    return it == m_masters.end() ? nullptr : &*it;
}

bool ClusterMap::isAddressOfOther(const QString& endpoint, const QByteArray& id) const
{
    return std::any_of(m_masters.begin(), m_masters.end(), [&](const Node& node) {
        return (node.id != id && node.address.endpoint == endpoint) ||
               std::any_of(node.replicas.begin(), node.replicas.end(),
                           [&](const Replica& r) { return r.address.endpoint == endpoint; });
    });
}

const ClusterMap::Node* ClusterMap::withId(const QByteArray& id) const
{
    const auto it = std::find_if(m_masters.begin(), m_masters.end(),
                                 [&id](const Node& node) { return node.id == id; });
    return it == m_masters.end() ? nullptr : &*it;
}

namespace {

constexpr size_t mostRangesTold = 5;

// "0-5460, 5462"
QString rangesText(const std::vector<std::pair<int, int>>& ranges)
{
    QStringList parts;
    for (const auto& [first, last] : ranges) {
        if (size_t(parts.size()) == mostRangesTold) {
            parts << QStringLiteral("\u2026");
            break;
        }
        parts << (first == last ? QString::number(first)
                                : QStringLiteral("%1-%2").arg(first).arg(last));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

UnservedSlots ClusterMap::unserved() const
{
    UnservedSlots all;
    std::vector<bool> owned(clusterSlots, false);
    QStringList parts;
    for (const Node& node : m_masters) {
        for (const auto& [first, last] : node.ranges)
            std::fill(owned.begin() + first, owned.begin() + last + 1, true);
        if (!node.failed || node.ranges.empty())
            continue;
        all.count += node.slotCount();
        parts << ClusterMapText::tr("it cannot reach %1 (slots %2)")
                     .arg(node.endpoint, rangesText(node.ranges));
    }
    std::vector<std::pair<int, int>> orphans;
    for (int slot = 0; slot < clusterSlots; ++slot) {
        if (owned[size_t(slot)])
            continue;
        ++all.count;
        if (orphans.empty() || orphans.back().second + 1 < slot)
            orphans.emplace_back(slot, slot);
        else
            orphans.back().second = slot;
    }
    if (!orphans.empty())
        parts << ClusterMapText::tr("no node serves slots %1").arg(rangesText(orphans));
    all.text = parts.join(QStringLiteral("; "));
    return all;
}

OpenSlots ClusterMap::openSlots() const
{
    OpenSlots all;
    QStringList parts;
    for (const Node& node : m_masters) {
        std::map<QByteArray, std::vector<std::pair<int, int>>> byTarget;
        for (const auto& [slot, to] : node.gives)
            byTarget[to].emplace_back(slot, slot);
        for (const auto& [to, which] : byTarget) {
            const Node* target = withId(to);
            parts << ClusterMapText::tr("%1 from %2 to %3")
                         .arg(rangesText(which), node.endpoint,
                              target ? target->endpoint : displayName(to.left(shortId)));
            all.count += int(which.size());
        }
    }
    all.text = parts.join(QStringLiteral("; "));
    return all;
}

bool ClusterMap::isWhole() const
{
    return std::all_of(m_masters.begin(), m_masters.end(),
                       [](const Node& n) { return n.myself || n.ranges.empty(); });
}

QString ClusterMap::coverage() const
{
    const QLocale locale;
    const Node* own = myself();
    return ClusterMapText::tr("%1 of %2 masters, %3 of %4 slots")
        .arg(own ? 1 : 0)
        .arg(m_masters.size())
        .arg(locale.toString(own ? own->slotCount() : 0), locale.toString(clusterSlots));
}

} // namespace lk
