// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/check/suggestedcommand.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"

#include <algorithm>

namespace lk {

namespace {

using Group = std::vector<const Finding*>;

// For a POSIX shell, in quotes where it would be taken apart.
QString shellWord(const QString& word)
{
    const bool plain = !word.isEmpty() && std::all_of(word.begin(), word.end(), [](QChar c) {
        return c.isLetterOrNumber() || QStringLiteral("_-.:/@%+=,").contains(c);
    });
    if (plain)
        return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QStringLiteral("'\\''")) +
           QLatin1Char('\'');
}

// No name that fills pages is printed: a word stands for it.
QString nameWord(const Finding& finding, const QByteArray& name, Codes codes, const char* instead)
{
    constexpr qsizetype longest = 1024; // bytes
    return name.size() > longest ? QLatin1String(instead)
                                 : shellWord(exactKey(finding.kind, name, codes));
}

// The masked form of a short code is no longer valid after this process has ended.
bool canBeNamed(const Finding& finding, Codes codes)
{
    return codes == Codes::Revealed || finding.kind != Kind::Token || finding.group ||
           readMasked(redactedKey(finding.kind, finding.name)).lasting;
}

// Returns the placeholder for a required argument that is not known here.
QString placeholder(const ActionParameter& p)
{
    using Type = ActionParameter::Type;
    const QString name = QStringLiteral(" --") + QString::fromLatin1(p.name);
    if (p.type == Type::Flag)
        return name;
    if (p.type == Type::Choice)
        return name + QLatin1Char(' ') + QString::fromLatin1(p.choices.value(0));
    if (p.name == "older-than")
        return name + QStringLiteral(" TIME");
    return name + QLatin1Char(' ') + QString::fromLatin1(p.name).toUpper();
}

// Layouts have different actions of one id, and not each has it.
const Action* actionFor(const Finding& finding, const State* state)
{
    if (finding.action.isEmpty())
        return nullptr;
    const Layout* layout = state ? findLayout(state->primitive->id.layout) : nullptr;
    return layout ? findAction(*layout, finding.action) : knownAction(finding.action);
}

// Not required in general, but of this one.
bool isNeeded(const ActionParameter& p, const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    if (p.name == "client")
        return limiter && limiter->consumersTotal > 0;
    const std::vector<KeyRole>& keys = state.primitive->keys;
    return p.name == "from" && std::count_if(keys.begin(), keys.end(), [](const KeyRole& key) {
                                   return key.role == jobRoleId(JobRole::Processing) &&
                                          !key.key.isEmpty();
                               }) > 1;
}

// Chooses one of the parameters of which one is required: prefers a limit (a count or an age).
const ActionParameter* chosenOf(const std::vector<ActionParameter>& all, Finding::About about)
{
    using Type = ActionParameter::Type;
    const Type first = about == Finding::About::OneOfSeveralJobs ? Type::Count : Type::Duration;
    const ActionParameter* chosen = nullptr;
    for (const ActionParameter& p : all) {
        if (p.oneOf && (!chosen || (p.type == first && chosen->type != first)))
            chosen = &p;
    }
    return chosen;
}

QString commandOf(const Action& action, const Group& group, const FindingStates& states,
                  Codes codes)
{
    const Finding& finding = *group.front();
    const bool several = group.size() > 1;
    QString text = QStringLiteral("lockkeeper act URL ") +
                   QString::fromLatin1(action.id()).replace(QLatin1Char('.'), QLatin1Char(' '));
    if (action.needsTarget())
        text += QLatin1Char(' ') + (several || !canBeNamed(finding, codes)
                                        ? QStringLiteral("NAME")
                                        : nameWord(finding, finding.name, codes, "NAME"));
    const auto anyState = [&](auto&& holds) {
        return std::any_of(group.begin(), group.end(), [&](const Finding* each) {
            const State* state = states.of(*each);
            return state && holds(*state);
        });
    };
    const auto key = [&] {
        return QLatin1Char(' ') +
               (several ? QStringLiteral("KEY") : nameWord(finding, finding.key, codes, "KEY"));
    };
    const auto knowsWindow = [&](const Finding* each) {
        const State* state = states.of(*each);
        const auto* limiter = state ? state->as<LimiterState>() : nullptr;
        return limiter && limiter->windowMs;
    };
    const bool knownWindow = std::all_of(group.begin(), group.end(), knowsWindow);
    const std::vector<ActionParameter> all = action.parameters();
    const ActionParameter* chosen = chosenOf(all, finding.about);
    for (const ActionParameter& p : all) {
        const bool needed = anyState([&](const State& state) { return isNeeded(p, state); });
        if (p.name == "key" && finding.key != finding.name)
            text += QStringLiteral(" --key") + key();
        else if (p.name == "from" && needed)
            text += QStringLiteral(" --from") + key();
        else if (&p == chosen && p.type == ActionParameter::Type::Count)
            text += QStringLiteral(" --") + QString::fromLatin1(p.name) + QStringLiteral(" N");
        else if (p.oneOf ? &p == chosen : p.required || needed)
            text += placeholder(p);
        else if (!p.oneOf && p.type == ActionParameter::Type::Duration &&
                 !(p.name == "ttl" && knownWindow)) // that is what it is then
            text += placeholder(p);
    }
    return text;
}

} // namespace

FindingStates::FindingStates(const StateSequence& states, std::span<const Finding* const> findings)
{
    for (const Finding* finding : findings) {
        if (!finding->action.isEmpty() && !finding->group && !finding->ofServer)
            m_states[{finding->kind, finding->name}] = nullptr;
    }
    for (size_t i = 0; i < states.size() && !m_states.empty(); ++i) {
        const Primitive& primitive = states.primitive(i);
        const auto at = m_states.find({primitive.kind, primitive.name()});
        if (at != m_states.end())
            at->second = states.state(i);
    }
}

const State* FindingStates::of(const Finding& finding) const
{
    const auto at = m_states.find({finding.kind, finding.name});
    return finding.group || finding.ofServer || at == m_states.end() ? nullptr : at->second.get();
}

QStringList suggestedCommands(std::span<const Finding* const> group, const FindingStates& states,
                              Codes codes)
{
    std::vector<std::pair<const Action*, Group>> byAction; // in the order of the findings
    for (const Finding* finding : group) {
        const Action* action = actionFor(*finding, states.of(*finding));
        if (!action)
            continue;
        const auto at = std::find_if(byAction.begin(), byAction.end(),
                                     [&](const auto& each) { return each.first == action; });
        if (at == byAction.end())
            byAction.push_back({action, {finding}});
        else
            at->second.push_back(finding);
    }
    QStringList commands;
    for (const auto& [action, findings] : byAction)
        commands << commandOf(*action, findings, states, codes);
    commands.removeDuplicates();
    return commands;
}

} // namespace lk
