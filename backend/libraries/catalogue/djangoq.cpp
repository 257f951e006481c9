// SPDX-License-Identifier: GPL-3.0-or-later
// Django-Q and Django-Q2 with the Redis broker (https://django-q2.readthedocs.io). The list
// "django_q:<cluster>:q" contains signed pickles. A cluster takes them from its left end. Redis has
// no record of running tasks. Results and schedules are in the application's database.
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

const QByteArray start = QByteArrayLiteral("django_q:");

// Returns the text between "django_q:" and ":q". Empty if the name has another form.
QByteArray clusterOf(const QByteArray& name)
{
    const qsizetype at = name.lastIndexOf(start);
    const qsizetype from = at + start.size();
    if (at < 0 || (at > 0 && name[at - 1] != ':') || !name.endsWith(":q") || name.size() < from + 3)
        return {};
    return name.mid(from, name.size() - from - 2);
}

// The format of django.core.signing: the payload, the time of signing and the signature.
bool isSigned(const QByteArray& text)
{
    const auto isBase64Url = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '-' || c == '_' || c == '.' || c == '=';
    };
    const qsizetype signature = text.lastIndexOf(':');
    const qsizetype time = text.lastIndexOf(':', signature - 1);
    const auto all = [&](QByteArrayView part) {
        return !part.isEmpty() && std::all_of(part.begin(), part.end(), isBase64Url);
    };
    const QByteArrayView view(text);
    return signature > 0 && time > 0 && text.size() - signature >= 20 &&
           all(view.first(std::min<qsizetype>(time, 256))) &&
           all(view.sliced(time + 1, signature - time - 1)) && all(view.sliced(signature + 1));
}

class DjangoQ final : public KeyedQueue, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("django-q"); }
    QString title() const override { return LayoutText::tr("Django-Q queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override { return type == KeyType::List; }
    std::vector<QByteArray> nameParts(KeyType) const override { return {start}; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const QByteArray cluster = clusterOf(probe.name);
        if (cluster.isEmpty() || probe.type != KeyType::List || !isSigned(probe.first))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.97, cluster};
    }
    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = Layout::declared(declaration, name);
        claim.label = clusterOf(name);
        return claim;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        return {{"queued", JobRole::Ready, primitive.id.name, JobsKey::Shape::FromLeft}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey&, const QueueSetting&,
                                  const JobRead&) const override
    {
        return JobFacts();
    }
    void finish(const Primitive&, State&, QueueState& queue, const QueueSetting&) const override
    {
        queue.states.push_back({"in-progress", JobRole::Processing, std::nullopt});
    }
};

} // namespace

namespace layouts {
const Layout& djangoQ()
{
    static const DjangoQ layout;
    return layout;
}
} // namespace layouts

} // namespace lk
