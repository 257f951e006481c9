// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/actcommands.h"

#include "app/cli/commandoptions.h"
#include "app/process/sharedoptions.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"

#include <algorithm>
#include <map>

namespace lk {

namespace {

struct ActCommandsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActCommands)
};

using Type = ActionParameter::Type;

const QString program = QStringLiteral("lockkeeper act");

void addCommonOptions(CommandSpec& spec)
{
    spec.options.insert(
        spec.options.end(),
        {{"dry-run", "", ActCommandsText::tr("Print the plan and change nothing.")},
         {"yes", "",
          ActCommandsText::tr(
              "Skip the confirmation. Default: ask; without a terminal nothing is done")},
         {"reason", "TEXT",
          ActCommandsText::tr(
              "Record this in the journal; required with --environment production. Default: none")},
         {"json", "",
          ActCommandsText::tr("Print the receipt, or the journal, as JSON. Default: text")},
         {"environment", "LABEL",
          ActCommandsText::tr(
              "Name what the server is for; \"production\" asks for a reason. Default: none")},
         undoKeyOption(),
         paceOption(),
         configOption(),
         layoutsOption()});
    spec.addHelpOption();
}

QString valueName(const ActionParameter& p)
{
    switch (p.type) {
    case Type::Flag:
        return {};
    case Type::Duration:
        return QStringLiteral("DURATION");
    case Type::Count:
        return QStringLiteral("N");
    case Type::Choice:
        return QString::fromLatin1(p.choices.join('|'));
    case Type::Text:
    case Type::Payload:
    case Type::Items:
        break;
    }
    return QStringLiteral("TEXT");
}

QString helpOf(const ActionParameter& p)
{
    QString help = p.help.isEmpty() ? p.label : p.help;
    if (p.type != Type::Choice) // that begins with a choice
        help[0] = help[0].toUpper();
    if (!p.preset.isEmpty())
        help += ActCommandsText::tr("; default: %1").arg(QString::fromLatin1(p.preset));
    return isSensitive(p) ? ActCommandsText::tr("%1 (\"-\": read it from standard input)").arg(help)
                          : help;
}

void addParameters(CommandSpec& spec, const QByteArray& action)
{
    for (const ActionParameter& p : parametersOf(action)) {
        const QString name = QString::fromLatin1(p.name);
        if (spec.option(name))
            continue;
        CommandOption option{name, valueName(p), p.type == Type::Items ? QString() : helpOf(p)};
        spec.options.push_back(std::move(option));
        if (isSensitive(p))
            spec.options.push_back(
                {name + QStringLiteral("-file"), QStringLiteral("FILE"),
                 ActCommandsText::tr(
                     "Read it from this file: other users can see command-line arguments.")});
    }
}

void addAutoRequeueOptions(CommandSpec& spec)
{
    spec.options.push_back(
        {"for", "DURATION", ActCommandsText::tr("Stop after this long. Default: 10m")});
    if (!spec.option(QStringLiteral("older-than")))
        spec.options.push_back(
            {"older-than", "DURATION",
             ActCommandsText::tr("Requeue jobs that have been in progress for longer. Default: "
                                 "stuck_after of the configuration file, else 30s")});
}

ActionList actionsOf(const QByteArray& id)
{
    ActionList all;
    for (const Layout* layout : allLayouts()) {
        const Action* candidate = findAction(*layout, id);
        if (candidate && std::find(all.begin(), all.end(), candidate) == all.end())
            all.push_back(candidate);
    }
    return all;
}

// Libraries have verbs in common and states of their own: what one action takes or means does not
// bind the others.
std::vector<ActionParameter> merged(const ActionList& actions)
{
    std::vector<ActionParameter> all;
    std::map<QByteArray, size_t> required; // by how many of them each parameter is
    for (const Action* action : actions) {
        for (ActionParameter& p : action->parameters()) {
            required[p.name] += p.required ? 1 : 0;
            const auto known = std::find_if(
                all.begin(), all.end(), [&](const ActionParameter& a) { return a.name == p.name; });
            if (known == all.end()) {
                all.push_back(std::move(p));
                continue;
            }
            for (const QByteArray& choice : std::as_const(p.choices)) {
                if (!known->choices.contains(choice))
                    known->choices << choice;
            }
            if (known->preset != p.preset)
                known->preset.clear();
        }
    }
    for (ActionParameter& p : all)
        p.required = required[p.name] == actions.size();
    return all;
}

// Those of an id that need the same, each group's together: what most layouts need is first.
std::vector<std::vector<ActionParameter>> usesOf(const QByteArray& id)
{
    std::vector<std::pair<QByteArrayList, ActionList>> groups;
    for (const Action* action : actionsOf(id)) {
        QByteArrayList needed;
        for (const ActionParameter& p : action->parameters()) {
            if (p.required || (p.oneOf && p.type != Type::Items))
                needed << p.name;
        }
        const auto group = std::find_if(groups.begin(), groups.end(),
                                        [&](const auto& each) { return each.first == needed; });
        if (group == groups.end())
            groups.push_back({needed, {action}});
        else
            group->second.push_back(action);
    }
    std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return a.second.size() > b.second.size();
    });
    std::vector<std::vector<ActionParameter>> uses;
    for (const auto& [needed, actions] : groups)
        uses.push_back(merged(actions));
    return uses;
}

QString optionText(const ActionParameter& p)
{
    const QString value = valueName(p);
    return QStringLiteral("--") + QString::fromLatin1(p.name) +
           (value.isEmpty() ? QString() : QLatin1Char(' ') + value);
}

QStringList optionTexts(const std::vector<ActionParameter>& parameters)
{
    QStringList choices;
    QStringList words;
    qsizetype at = -1; // where the choices belong
    for (const ActionParameter& p : parameters) {
        if (p.type == Type::Items)
            continue;
        if (p.oneOf && at < 0)
            at = words.size();
        if (p.oneOf)
            choices << optionText(p);
        else
            words << (p.required ? optionText(p)
                                 : QLatin1Char('[') + optionText(p) + QLatin1Char(']'));
    }
    if (!choices.isEmpty())
        words.insert(at, QLatin1Char('(') + choices.join(QLatin1Char('|')) + QLatin1Char(')'));
    return words;
}

QString spaced(const QByteArray& action)
{
    return QString::fromLatin1(action).replace(QLatin1Char('.'), QLatin1Char(' '));
}

// "URL lock release NAME --owner TEXT"; several where layouts need something else.
QStringList usagesOf(const QByteArray& action)
{
    if (action == "queue.auto-requeue")
        return {
            QStringLiteral("URL queue auto-requeue NAME [--for DURATION] [--older-than DURATION]")};
    if (action == "undo")
        return {QStringLiteral("URL undo RECEIPT|GROUP")};
    if (action == "journal")
        return {QStringLiteral("URL journal [--json]")};
    QStringList usages;
    for (const std::vector<ActionParameter>& use : usesOf(action)) {
        QStringList words{QStringLiteral("URL"), spaced(action)};
        if (knownAction(action)->needsTarget())
            words << QStringLiteral("NAME");
        usages << (words + optionTexts(use)).join(QLatin1Char(' '));
    }
    return usages;
}

// A value that could be meant; of a choice the first.
QString exampleValue(const ActionParameter& p)
{
    switch (p.type) {
    case Type::Choice:
        return QString::fromLatin1(p.choices.value(0));
    case Type::Duration:
        return QStringLiteral("30s");
    case Type::Count:
        return QStringLiteral("1");
    case Type::Payload:
        return QStringLiteral("-");
    default:
        break;
    }
    return p.name == "owner" ? QStringLiteral("host1") : QStringLiteral("TEXT");
}

// The example among the parameters of which one is required, "all" first. Null if there are none.
const ActionParameter* chosenOf(const std::vector<ActionParameter>& all)
{
    const ActionParameter* chosen = nullptr;
    for (const ActionParameter& p : all) {
        if (p.oneOf && (!chosen || p.name == "all"))
            chosen = &p;
    }
    return chosen;
}

// Complete, and does nothing: it prints the plan.
QString exampleOf(const QByteArray& action)
{
    QStringList words{program, QStringLiteral("redis://127.0.0.1:6379")};
    if (action == "undo")
        return (words << QStringLiteral("undo r6f1c2a90d4e7")).join(QLatin1Char(' '));
    if (action == "journal")
        return (words << QStringLiteral("journal")).join(QLatin1Char(' '));
    words << spaced(action);
    const Action* known = knownAction(action);
    const QByteArray kind = action.left(action.indexOf('.'));
    if (!known || known->needsTarget())
        words << (kind == "queue"     ? QStringLiteral("email")
                  : kind == "limiter" ? QStringLiteral("api:login:10.0.0.1")
                  : kind == "token"   ? QStringLiteral("code:c17bd6")
                  : kind == "lock"    ? QStringLiteral("lock:invoice:42")
                                      : QStringLiteral("session:7"));
    const std::vector<ActionParameter> use =
        known ? usesOf(action).front() : std::vector<ActionParameter>();
    const ActionParameter* chosen = chosenOf(use);
    for (const ActionParameter& p : use) {
        if (!p.required && &p != chosen)
            continue;
        words << QStringLiteral("--") + QString::fromLatin1(p.name);
        if (p.type != Type::Flag)
            words << exampleValue(p);
    }
    if (known && !known->writes())
        return words.join(QLatin1Char(' '));
    return (words << QStringLiteral("--dry-run")).join(QLatin1Char(' '));
}

QString summaryOf(const QByteArray& action)
{
    if (action == "queue.auto-requeue")
        return ActCommandsText::tr(
            "requeue stuck jobs every few seconds until stopped; only one console does "
            "so at a time");
    if (action == "undo")
        return ActCommandsText::tr(
            "undo an action, or a group of them, if nothing has changed since");
    if (action == "journal")
        return ActCommandsText::tr("print what was run on that server from this account");
    return knownAction(action)->summary();
}

QByteArrayList commands()
{
    QByteArrayList all;
    for (const Action* action : knownActions())
        all << action->id();
    return all << "queue.auto-requeue"
               << "undo"
               << "journal";
}

QString aboutActing()
{
    return ActCommandsText::tr("Run one action: planned, confirmed, guarded on the server, sent "
                               "once, journaled,\nundoable.");
}

QString notes()
{
    return ActCommandsText::tr(
        "Names are written as snapshot shows them, with \\xNN for bytes that are not text.\n"
        "Exit codes: 0 done, 1 conflict, refused or outcome unknown, 2 wrong use or no "
        "connection.\n");
}

} // namespace

std::vector<ActionParameter> parametersOf(const QByteArray& action)
{
    return merged(actionsOf(action));
}

bool isSensitive(const ActionParameter& parameter)
{
    return parameter.type == Type::Payload || parameter.name == "owner";
}

CommandSpec actSpec()
{
    CommandSpec spec{program};
    for (const Action* action : knownActions())
        addParameters(spec, action->id());
    addAutoRequeueOptions(spec);
    addCommonOptions(spec);
    return spec;
}

CommandSpec actSpec(const QByteArray& action)
{
    CommandSpec spec{program + QLatin1Char(' ') + spaced(action)};
    spec.summary = summaryOf(action) + QLatin1Char('.');
    spec.summary[0] = spec.summary[0].toUpper();
    for (const QString& usage : usagesOf(action))
        spec.usage << program + QLatin1Char(' ') + usage;
    if (action == "queue.auto-requeue")
        addAutoRequeueOptions(spec);
    else
        addParameters(spec, action);
    addCommonOptions(spec);
    if (action == "queue.auto-requeue") // it prints as it goes
        std::erase_if(spec.options,
                      [](const CommandOption& o) { return o.name == QLatin1String("json"); });
    spec.examples = {exampleOf(action)};
    spec.notes = notes();
    return spec;
}

std::vector<CommandSpec> actSpecs()
{
    CommandSpec common{program};
    common.summary = aboutActing();
    common.usage = {program + QStringLiteral(" URL")};
    addCommonOptions(common);
    std::vector<CommandSpec> specs{common};
    for (const QByteArray& action : commands())
        specs.push_back(actSpec(action));
    return specs;
}

QString actHelpText(const QByteArray& action)
{
    if (commands().contains(action))
        return helpText(actSpec(action));
    QString text =
        aboutActing() + QStringLiteral("\n\n") + ActCommandsText::tr("Usage:") + QLatin1Char('\n');
    for (const QByteArray& id : commands()) {
        for (const QString& usage : usagesOf(id))
            text += QStringLiteral("  act ") + usage + QLatin1Char('\n');
        text += QStringLiteral("        ") + summaryOf(id) + QLatin1Char('\n');
    }
    CommandSpec common{program};
    addCommonOptions(common);
    text += QLatin1Char('\n') + ActCommandsText::tr("Options of every action:") +
            QLatin1Char('\n') + optionsText(common) +
            ActCommandsText::tr(
                "  --payload-file FILE, --owner-file FILE\n"
                "                         Read it from this file; --payload - and --owner - read\n"
                "                         standard input. Other users can read arguments.\n"
                "act KIND VERB --help describes the options of one action.\n");
    text +=
        QLatin1Char('\n') + ActCommandsText::tr("Example:") +
        QStringLiteral("\n  lockkeeper act redis://127.0.0.1:6379/0 lock release lock:invoice:42 "
                       "--owner host1 --dry-run\n\n");
    return text + notes();
}

} // namespace lk
